internal import CPostgres
import TminusCore

/// libpq, loaded at first use. Nothing unloads it.
enum Library {
    /// The functions of the library, or why it cannot be used.
    static let loaded: Result<tminus_libpq, StoreError> = {
        var calls = tminus_libpq()
        guard let missing = tminus_load_libpq(&calls) else { return .success(calls) }
        return .failure(
            StoreError(
                .other,
                """
                a store on PostgreSQL needs libpq 14 or later, which cannot be loaded (\(String(cString: missing))); \
                install Debian's package libpq5
                """))
    }()
}
