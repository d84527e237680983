import Foundation
import Glibc
import Testing

/// TLS of `tminus run`, with certificates that openssl(1) makes.
@Suite("TLS")
struct TLSTests {
    private let scratch: Scratch
    private var certificate: String { "\(scratch.path)/cert.pem" }
    private var key: String { "\(scratch.path)/key.pem" }
    private var options: [String] { RunningDaemon.listening + ["--tls-cert", certificate, "--tls-key", key] }

    init() throws {
        scratch = try Scratch()
        try scratch.save("a.yaml", "timers: { tea: { duration: 1h, start: manual } }\n")
    }

    /// Gives files the names of others, as a program that renews certificates does.
    private func move(_ from: String, _ to: String) throws {
        #expect(rename(from, to) == 0)
    }

    @Test("the daemon speaks TLS, with links and cookies that fit, and edits from another machine would be allowed")
    func speaks() async throws {
        try await Certificate.make(certificate, key)
        let daemon = try RunningDaemon(in: scratch, options + ["--allow-edit"])
        try await daemon.ready()
        let port = try await daemon.port()
        let place = "tls:\(port):\(certificate)"
        #expect(try await WebAnswer.get(at: place, "/items").status == 200)
        let link = try Program(Program.tminus, ["web", "--level", "edit", "--state", scratch.state])
        #expect(try await link.end() == 0)
        let address = try #require(link.output.texts.first)
        #expect(address.hasPrefix("https://127.0.0.1:\(port)/#code="))
        let code = address.split(separator: "#code=")[1]
        let login = try await WebAnswer.get(
            at: place, "/login", ["Content-Type": "application/json", "Origin": "https://127.0.0.1:\(port)"],
            method: "POST", body: #"{"code": "\#(code)"}"#)
        #expect(login.status == 200 && login.headers["set-cookie"]?.hasPrefix("__Host-tminus=") == true, "\(login)")
        // Plain HTTP gets no answer there.
        await #expect(throws: Waiting.Vain.self) { try await WebAnswer.get(port, "/healthz") }
        try await daemon.stop()
    }

    @Test("an exchanged certificate is used by new connections, and a broken one is told and not taken")
    func exchanged() async throws {
        try await Certificate.make(certificate, key)
        let first = "\(scratch.path)/first.pem"
        try FileManager.default.copyItem(atPath: certificate, toPath: first)
        let daemon = try RunningDaemon(in: scratch, options)
        try await daemon.ready()
        let port = try await daemon.port()
        #expect(try await WebAnswer.get(at: "tls:\(port):\(first)", "/healthz").status == 200)
        let (newCertificate, newKey) = ("\(scratch.path)/new.pem", "\(scratch.path)/new.key")
        try await Certificate.make(newCertificate, newKey)
        let second = "\(scratch.path)/second.pem"
        try FileManager.default.copyItem(atPath: newCertificate, toPath: second)
        // Between the two renamings the key is not that of the certificate.
        try move(newCertificate, certificate)
        #expect(try await WebAnswer.get(at: "tls:\(port):\(first)", "/healthz").status == 200)
        try await daemon.errors.first("the refusal") { $0.contains("the former certificate stays in force") }
        try move(newKey, key)
        #expect(try await WebAnswer.get(at: "tls:\(port):\(second)", "/healthz").status == 200)
        try await daemon.errors.first("the exchange") { $0.contains("certificate exchanged") }
        try Data("nonsense".utf8).write(to: URL(fileURLWithPath: certificate))
        #expect(try await WebAnswer.get(at: "tls:\(port):\(second)", "/healthz").status == 200)
        try FileManager.default.removeItem(atPath: key)
        #expect(try await WebAnswer.get(at: "tls:\(port):\(second)", "/healthz").status == 200)
        try await daemon.stop()
    }

    @Test("files that cannot be used end the start with words")
    func unusable() async throws {
        let missing = try RunningDaemon(in: scratch, options)
        #expect(try await missing.program.end() == 74)
        #expect(missing.errors.texts.joined().contains("--tls-cert \(certificate): cannot be read"))
        try await Certificate.make(certificate, key)
        try Data("nonsense".utf8).write(to: URL(fileURLWithPath: key))
        let broken = try RunningDaemon(in: scratch, options)
        #expect(try await broken.program.end() == 65)
        let words = broken.errors.texts.joined()
        #expect(words.contains("--tls-key \(key): it has not a private key in PEM form"), "\(words)")
        try await Certificate.make("\(scratch.path)/other.pem", key)
        let foreign = try RunningDaemon(in: scratch, options)
        #expect(try await foreign.program.end() == 65)
        #expect(
            foreign.errors.texts.joined().contains("it is not the key of the certificate"), "\(foreign.errors.texts)")
        let half = try RunningDaemon(in: scratch, RunningDaemon.listening + ["--tls-cert", certificate])
        #expect(try await half.program.end() == 64)
    }
}
