import Foundation
import HTTPTypes
import TminusCore

@testable import TminusControl
@testable import TminusDaemon

/// Targets for what a client sends: the bodies and the header fields of requests; and for what the daemon answers, which
/// a client of another version may read.
enum RequestTargets {
    static func body(_ bytes: [UInt8]) {
        let now = Timestamp(seconds: 1_780_272_000)
        if let body = read(ControlBody.self, bytes) {
            for verb in Control.Verb.allCases {
                guard let control = try? Control(verb, body, now: now) else { continue }
                if case .mute(let end) = control { demand(end > now, "a mute ends later: \(end.rfc3339)") }
            }
        }
        _ = read(AdHocBody.self, bytes)
        _ = read(FireBody.self, bytes)
        _ = read(LoginBody.self, bytes)
        _ = read(CodeBody.self, bytes)
        _ = read(PortableRequest.self, bytes)
        _ = try? JSONDecoder().decode(DefinitionBody.self, from: Data(bytes))
    }

    /// The body, which is written and read back the same.
    private static func read<Body: Codable & Equatable>(_ type: Body.Type, _ bytes: [UInt8]) -> Body? {
        guard let body = try? JSONDecoder().decode(type, from: Data(bytes)) else { return nil }
        let written = try? ControlJSON.encode(body)
        let again = written.flatMap { try? JSONDecoder().decode(type, from: Data($0)) }
        demand(again == body, "\(body) reads back")
        return body
    }

    static func answer(_ bytes: [UInt8]) {
        guard let list = try? ItemList(json: bytes) else { return }
        for item in list.items {
            guard let again = try? Item(json: item.json) else {
                return demand(false, "an item reads back: \(String(decoding: item.json, as: UTF8.self))")
            }
            demand(again.json == item.json, "an item is written the same: \(item.id)")
        }
    }

    /// A request of header fields, each in a line. The rules of a door judge it as that of a stranger.
    static func headers(_ bytes: [UInt8]) {
        var request = HTTPRequest(
            method: bytes.first.map { $0 < 0x40 } == true ? .get : .post, scheme: nil, authority: nil, path: "/items")
        for line in bytes.split(separator: 0x0A) {
            guard let colon = line.firstIndex(of: 0x3A),
                let name = HTTPField.Name(String(decoding: line[..<colon], as: UTF8.self))
            else { continue }
            let value = String(decoding: line[(colon + 1)...], as: UTF8.self)
            if name.canonicalName == "host" { request.authority = value }
            request.headerFields.append(HTTPField(name: name, value: value))
        }
        let stranger = ProxyRules().client(of: request, from: "192.0.2.1")
        demand(!stranger.isSecure && stranger.address == "192.0.2.1", "a stranger cannot say who it is: \(stranger)")
        demand(stranger.host == request.authority, "a stranger cannot say by what name it came: \(stranger)")
        let trusted = [AddressRange("10.0.0.0/8"), AddressRange("::1")].compactMap(\.self)
        let client = ProxyRules(trusted: trusted, prefix: "/tools").client(of: request, from: "10.1.2.3")
        demand(!client.isLocal, "nobody behind a proxy is local: \(client)")
        demand(client.address.map(IPLiteral.isValid) ?? true, "an address is one: \(client)")
        _ = client.network
        if case .unknown(let name) = HostNames(["tminus.example"])?.judge(request.authority) {
            demand((1...253).contains(name.utf8.count), "a name is bounded: \(name)")
        }
        _ = Credentials(request)
        if let secret = client.cookie.secret(in: request) { demand(!secret.contains(";"), "a cookie ends: \(secret)") }
        if case .matches(let tags) = try? WriteCondition(request.headerFields) {
            demand(tags.allSatisfy { $0.hasPrefix("\"") && $0.hasSuffix("\"") }, "tags have their marks: \(tags)")
        }
        if (try? SiteRules(scheme: "https", host: "tminus.example").check(request)) != nil,
            let origin = request.headerFields[.origin]
        {
            demand(
                ["https://tminus.example", "https://tminus.example:443"].contains(origin.lowercased()),
                "only the own page may ask: '\(origin)'")
        }
    }
}
