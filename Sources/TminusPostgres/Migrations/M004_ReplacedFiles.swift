/// The contents of definition files that other ones have replaced, by which a machine knows that its own files are behind.
enum M004 {
    /// The statements, in their order.
    static let statements = [
        """
        CREATE TABLE replaced_file (
            root text COLLATE "C" NOT NULL,
            path text COLLATE "C" NOT NULL,
            digest text COLLATE "C" NOT NULL,
            replaced bigint NOT NULL,
            PRIMARY KEY (root, path, digest)
        )
        """
    ]
}
