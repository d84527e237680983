/// Names the place of a daemon's state, which only one running daemon has. A store that several machines can reach knows by it
/// that a daemon's predecessor is no more.
package struct MachineID: Sendable {
    /// The name of the host and 64 random bits, without a space.
    package let text: String

    /// The id of a state directory whose lock is held. Its random bits are in the file `machine-id`, which is made if there is
    /// none that can be read.
    package init(in directory: String) throws(SystemError) {
        let path = "\(directory)/machine-id"
        let kept = FileBytes.read(path, limit: 64).map { String(decoding: $0, as: UTF8.self) } ?? ""
        var bits = kept.hasSuffix("\n") ? String(kept.dropLast()) : ""
        if UInt64(bits, radix: 36) == nil {
            bits = String(UInt64.random(in: 0 ... .max), radix: 36)
            FilePlacing.remove(path)
            try FileReplacement.create(path, shownAs: path, Array("\(bits)\n".utf8), mode: 0o600)
        }
        text = "\(MachinePaths.hostName.filter { !$0.isWhitespace })/\(bits)"
    }
}
