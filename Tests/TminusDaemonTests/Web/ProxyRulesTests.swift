import HTTPTypes
import Testing

@testable import TminusDaemon

@Suite("Clients and proxies")
struct ProxyRulesTests {
    private func request(_ fields: [(String, String)]) throws -> HTTPRequest {
        var request = HTTPRequest(method: .get, scheme: nil, authority: "127.0.0.1:9108", path: "/")
        for (name, value) in fields {
            request.headerFields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
        }
        return request
    }

    private func rules(_ trusted: String...) throws -> ProxyRules {
        ProxyRules(trusted: try trusted.map { try #require(AddressRange($0)) })
    }

    @Test(
        "a client is local by its address, unless a proxy stands between",
        arguments: [
            ("127.0.0.1", nil, true), ("127.8.8.8", nil, true), ("::1", nil, true), ("::ffff:127.0.0.1", nil, true),
            ("192.168.1.9", nil, false), ("::ffff:10.0.0.1", nil, false), ("fe80::1", nil, false), (nil, nil, false),
            ("127.0.0.1", "X-Forwarded-For", false), ("::1", "Forwarded", false), ("127.0.0.1", "via", false),
            ("127.0.0.1", "X-Real-IP", false), ("127.0.0.1", "X-Forwarded-Host", false),
        ] as [(String?, String?, Bool)])
    func local(address: String?, field: String?, isLocal: Bool) throws {
        let request = try request(field.map { [($0, "1.2.3.4")] } ?? [])
        #expect(try rules().client(of: request, from: address).isLocal == isLocal)
        #expect(try rules("127.0.0.0/8").client(of: request, from: address).isLocal == isLocal)
    }

    @Test("what a stranger says of where it comes from is not believed, and makes nothing encrypted or known")
    func spoofed() throws {
        let spoofed = try request([
            ("x-forwarded-for", "127.0.0.1"), ("x-forwarded-proto", "https"), ("x-forwarded-host", "evil.example"),
        ])
        let client = try rules("10.0.0.0/8").client(of: spoofed, from: "192.0.2.1")
        #expect(client == WebClient(address: "192.0.2.1", host: "127.0.0.1:9108"))
    }

    @Test("a trusted proxy is believed, from the right: what is left of its own entry comes from elsewhere")
    func trusted() throws {
        let rules = try rules("10.0.0.0/8", "fd00::/8")
        for (chain, address) in [
            ("192.0.2.1", "192.0.2.1"), ("127.0.0.1, 192.0.2.1", "192.0.2.1"), ("192.0.2.1,10.1.1.1", "192.0.2.1"),
            ("1.1.1.1, 192.0.2.1 ,10.1.1.1, fd00::1", "192.0.2.1"), ("10.9.9.9", "10.9.9.9"), ("unknown", nil),
            ("192.0.2.1, nonsense", nil),
        ] as [(String, String?)] {
            let forwarded = try request([
                ("x-forwarded-for", chain), ("x-forwarded-proto", "http, https"),
                ("x-forwarded-host", "timers.example"),
            ])
            let client = rules.client(of: forwarded, from: "10.0.0.1")
            #expect(client == WebClient(address: address, isEncrypted: true, host: "timers.example"), "\(chain)")
            #expect(client.scheme == "https" && client.isSecure && client.cookie.name == "__Host-tminus")
        }
        let several = try request([("x-forwarded-for", "1.1.1.1"), ("x-forwarded-for", "192.0.2.1")])
        #expect(rules.client(of: several, from: "10.0.0.1").address == "192.0.2.1")
        #expect(rules.client(of: several, from: "10.0.0.1").isEncrypted == false)
    }

    @Test("behind a trusted proxy TLS counts between the client and the proxy, not between the proxy and the daemon")
    func encrypted() throws {
        let rules = try rules("10.0.0.0/8")
        func isEncrypted(_ fields: [(String, String)], from peer: String) throws -> Bool {
            try rules.client(of: request(fields), from: peer, isEncrypted: true).isEncrypted
        }
        let forwarded = [("x-forwarded-for", "192.0.2.1")]
        #expect(try !isEncrypted(forwarded, from: "10.0.0.1"))
        #expect(try !isEncrypted(forwarded + [("x-forwarded-proto", "http")], from: "10.0.0.1"))
        #expect(try isEncrypted(forwarded + [("x-forwarded-proto", "https")], from: "10.0.0.1"))
        #expect(try isEncrypted([], from: "10.0.0.1"))
        #expect(try isEncrypted(forwarded + [("x-forwarded-proto", "http")], from: "192.0.2.1"))
    }

    @Test("whoever comes by a socket in the file system is a proxy")
    func socket() throws {
        let plain = try rules().client(of: request([]), from: nil, isSocket: true)
        #expect(plain == WebClient(host: "127.0.0.1:9108") && !plain.isLocal)
        let forwarded = try request([("x-forwarded-for", "192.0.2.1"), ("x-forwarded-proto", "https")])
        #expect(try rules().client(of: forwarded, from: nil, isSocket: true).address == "192.0.2.1")
        #expect(try rules().client(of: forwarded, from: nil, isSocket: true).isEncrypted)
    }

    @Test("a range has the addresses that begin with its bits")
    func ranges() throws {
        for (range, inside, outside) in [
            ("10.0.0.0/8", "10.255.0.1", "11.0.0.1"), ("192.0.2.128/25", "192.0.2.200", "192.0.2.1"),
            ("0.0.0.0/0", "1.2.3.4", "::1"), ("192.0.2.1", "192.0.2.1", "192.0.2.2"),
            ("fd00::/8", "fdff::1", "fe00::1"),
            ("2001:db8::/33", "2001:db8:7fff::1", "2001:db8:8000::1"), ("10.0.0.0/8", "::ffff:10.0.0.1", "x"),
        ] {
            let range = try #require(AddressRange(range))
            #expect(range.contains(inside) && !range.contains(outside), "\(range)")
        }
        for text in [
            "", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "::/129", "10.0.0/8", "x", "10.0.0.0/8/8",
            "10.0.0.0/+8",
        ] {
            #expect(AddressRange(text) == nil, "\(text)")
        }
    }
}
