public enum RemainingText { public static func words(_ n: Int64) -> String { "" } }
