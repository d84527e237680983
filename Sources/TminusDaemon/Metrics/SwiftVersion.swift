/// The version of Swift that compiled this program, as far as the compiler tells it.
enum SwiftVersion {
    #if swift(>=6.4)
        static let text = "6.4 or later"
    #elseif swift(>=6.3)
        static let text = "6.3"
    #else
        static let text = "6.2"
    #endif
}
