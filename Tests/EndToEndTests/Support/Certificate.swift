import Testing

/// Certificates for this machine, made by openssl(1).
enum Certificate {
    /// Makes a certificate and its key in these files.
    static func make(_ certificate: String, _ key: String) async throws {
        let tool = try Program(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost", "-keyout", key,
                "-out", certificate,
            ])
        #expect(try await tool.end() == 0, "\(tool.errors.texts)")
    }
}
