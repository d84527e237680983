/// Requests to the control sockets of followers, which the leader carries out.
enum M003 {
    /// The statements, in their order.
    static let statements = [
        // `taken` is the term of the leader that has taken it.
        """
        CREATE TABLE forwarded_request (
            id text COLLATE "C" PRIMARY KEY,
            request text NOT NULL,
            forwarded timestamptz NOT NULL DEFAULT clock_timestamp(),
            taken bigint,
            answer text,
            CHECK (answer IS NULL OR taken IS NOT NULL)
        )
        """
    ]
}
