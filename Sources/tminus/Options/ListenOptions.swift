internal import ArgumentParser
internal import TminusDaemon
internal import TminusSystem

/// The options of `tminus run` for HTTP over TCP.
struct ListenOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Serve HTTP at this IP address and port, such as 127.0.0.1:9108 or [::1]:9108, or at unix:PATH for a proxy. May be given several times. Without it no port is open. Everybody who reaches it sees health and readiness; every program of this machine may read, and tokens give more.",
            valueName: "address"),
        transform: Self.address)
    var listen: [ListenAddress] = []

    @Option(
        help: ArgumentHelp(
            "A host name by which HTTP clients address this machine; may be given several times. IP addresses, localhost and names below it are always accepted; requests for other names are refused.",
            valueName: "name"))
    var host: [String] = []

    @Option(
        help: ArgumentHelp(
            "The most HTTP connections at the same time; further ones are closed. Default: 1024.", valueName: "number"))
    var maxConnections: Int?

    @Option(
        help: ArgumentHelp(
            "The file with the tokens, which 'tminus token' writes. Default: tokens in the state directory.",
            valueName: "file"))
    var tokens: String?

    @Flag(name: .customLong("private"), help: "Need a token to read from programs of this machine, too.")
    var isPrivate = false

    @Flag(
        help:
            "Let tokens of level edit change files over HTTP, and with them the commands that the daemon runs. Never over plain HTTP from another machine."
    )
    var allowEdit = false

    @Option(
        help: ArgumentHelp(
            "Believe proxies with these addresses, such as 10.0.0.0/8 or 127.0.0.1, when they say by X-Forwarded-For, -Host and -Proto where a request comes from. May be given several times. That of unix:PATH is always believed.",
            valueName: "cidr"),
        transform: Self.range)
    var trustProxy: [AddressRange] = []

    @Option(
        help: ArgumentHelp(
            "The certificate for TLS 1.2 and later at all ports, in PEM form, with those between it and an authority. When the file changes, new connections get it.",
            valueName: "file"))
    var tlsCert: String?

    @Option(help: ArgumentHelp("The private key of that certificate, in PEM form.", valueName: "file"))
    var tlsKey: String?

    @Option(
        help: ArgumentHelp("The path below which a proxy has the daemon, such as /tools/tminus.", valueName: "prefix"),
        transform: Self.prefix)
    var path = ""

    func validate() throws {
        if (tlsCert == nil) != (tlsKey == nil) { throw ValidationError("--tls-cert and --tls-key go together") }
        guard listen.isEmpty else {
            if Set(listen).count < listen.count { throw ValidationError("--listen: an address is given twice") }
            guard HostNames(host) != nil else {
                throw ValidationError("--host: expected a host name without a port, such as timers.example.org")
            }
            guard (1...65_536).contains(maxConnections ?? 1) else {
                throw ValidationError("--max-connections: expected a number from 1 to 65536")
            }
            return
        }
        if !host.isEmpty { throw ValidationError("--host needs --listen") }
        if maxConnections != nil { throw ValidationError("--max-connections needs --listen") }
        if tokens != nil { throw ValidationError("--tokens needs --listen") }
        if isPrivate { throw ValidationError("--private needs --listen") }
        if allowEdit { throw ValidationError("--allow-edit needs --listen") }
        if !trustProxy.isEmpty { throw ValidationError("--trust-proxy needs --listen") }
        if tlsCert != nil { throw ValidationError("--tls-cert needs --listen") }
        if !path.isEmpty { throw ValidationError("--path needs --listen") }
    }

    /// The options for the daemon.
    var options: WebOptions {
        var options = WebOptions()
        options.addresses = listen
        options.hosts = HostNames(host) ?? HostNames()
        options.maxConnections = maxConnections ?? options.maxConnections
        options.tokens = tokens.map(MachinePaths.absolute)
        options.isPrivate = isPrivate
        options.allowsEdit = allowEdit
        options.trusted = trustProxy
        options.prefix = path
        if let tlsCert, let tlsKey {
            options.tls = TLSFiles(certificate: MachinePaths.absolute(tlsCert), key: MachinePaths.absolute(tlsKey))
        }
        return options
    }

    private static func range(_ text: String) throws -> AddressRange {
        guard let range = AddressRange(text) else {
            throw ValidationError("expected addresses such as 10.0.0.0/8, fd00::/8 or 127.0.0.1")
        }
        return range
    }

    private static func prefix(_ text: String) throws -> String {
        guard text.wholeMatch(of: /(\/[A-Za-z0-9._~-]+)+/) != nil, !text.contains("/../"), !text.hasSuffix("/..") else {
            throw ValidationError("expected a path such as /tools/tminus, without a slash at its end")
        }
        return text
    }

    private static func address(_ text: String) throws -> ListenAddress {
        guard let address = ListenAddress(text) else {
            throw ValidationError(
                "expected an IP address and a port, such as 127.0.0.1:9108 or [::1]:9108, or unix: and an absolute path"
            )
        }
        return address
    }
}
