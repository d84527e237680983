import Testing

@testable import TminusDaemon

@Suite("Host names")
struct HostNamesTests {
    @Test(
        "an IP literal, localhost, names below it and given names are known, in any case and with any port",
        arguments: [
            "127.0.0.1", "127.0.0.1:9108", "192.168.1.9:80", "[::1]", "[::1]:9108", "[fe80::1]:1", "localhost",
            "LOCALHOST:9108", "localhost.", "a.localhost", "a.b.localhost:1", "timers.example.org",
            "Timers.Example.ORG:1",
            "box",
        ])
    func known(header: String) throws {
        let hosts = try #require(HostNames(["timers.example.org", "Box"]))
        #expect(hosts.judge(header) == .known)
    }

    @Test(
        "any other name is unknown, also one that only looks like an address or like localhost",
        arguments: [
            ("evil.example", "evil.example"), ("127.0.0.1.evil.example:9108", "127.0.0.1.evil.example"),
            ("localhost.evil.example", "localhost.evil.example"), ("notlocalhost", "notlocalhost"),
            ("example.org", "example.org"), ("2130706433", "2130706433"), ("0x7f.1", "0x7f.1"),
            ("sub.timers.example.org", "sub.timers.example.org"), ("EVIL.", "evil"),
        ])
    func unknown(header: String, name: String) throws {
        let hosts = try #require(HostNames(["timers.example.org"]))
        #expect(hosts.judge(header) == .unknown(name))
    }

    @Test(
        "a Host header that names no host is refused as invalid",
        arguments: [
            nil, "", ":", ":80", "[", "[]", "[::1", "[evil]", "[::1]x", "::1", "a b", "a/b", "user@localhost",
            "localhost:x",
            "localhost:80:80", "a,b", "a\u{e4}", "..", ".localhost", "a..b", String(repeating: "a", count: 254),
        ] as [String?])
    func invalid(header: String?) {
        #expect(HostNames().judge(header) == .invalid)
    }

    @Test("a name for --host has neither a port nor other characters than those of host names")
    func options() {
        #expect(HostNames(["a.example"]) != nil)
        for name in ["", "a:1", "a/b", "*", "*.example", "http://a", " a", "-\u{1b}"] {
            #expect(HostNames([name]) == nil, "\(name)")
        }
    }
}

@Suite("Listen addresses")
struct ListenAddressTests {
    @Test(
        "an IP address and a port are an address",
        arguments: [
            ("127.0.0.1:9108", "127.0.0.1:9108", true), ("0.0.0.0:80", "0.0.0.0:80", false),
            ("[::1]:9108", "[::1]:9108", true),
            ("[::]:0", "[::]:0", false), ("localhost:9108", "127.0.0.1:9108", true),
            ("10.0.0.1:65535", "10.0.0.1:65535", false),
            ("127.1.2.3:1", "127.1.2.3:1", true), ("unix:/run/tminus/http.sock", "unix:/run/tminus/http.sock", true),
        ])
    func valid(text: String, shown: String, isLoopback: Bool) throws {
        let address = try #require(ListenAddress(text))
        #expect(address.description == shown)
        #expect(address.isLoopback == isLoopback)
    }

    @Test(
        "anything else is none",
        arguments: [
            "", ":", "9108", ":9108", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:+1",
            "127.0.0.1: 1", "::1:9108", "[127.0.0.1]:1", "[::1]9108", "example.org:80", "http://127.0.0.1:80",
            "127.0.0.1:1:2",
            "127.1:80", "unix:", "unix:run/x", "unix:/run/", "unix:/run/a\u{0}",
        ])
    func invalid(text: String) {
        #expect(ListenAddress(text) == nil)
    }

    @Test("a link for a person has the name of this machine where the address is none that others can use")
    func links() throws {
        for (text, name, link) in [
            ("127.0.0.1:9108", "box", "http://127.0.0.1:9108/tools/"),
            ("0.0.0.0:9108", "box", "http://box:9108/tools/"),
            ("[::]:9108", nil, "http://[::1]:9108/tools/"), ("unix:/run/x", "box", "https://box/tools/"),
            ("unix:/run/x", nil, nil),
        ] as [(String, String?, String?)] {
            #expect(try #require(ListenAddress(text)).link(name, "http", prefix: "/tools") == link)
        }
    }
}
