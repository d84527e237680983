import Foundation

/// What `make fuzz` tries: what reads texts and bytes that others wrote. Each target fails by ending the process.
private let targets: [String: @Sendable ([UInt8]) -> Void] = [
    "cron": RuleTargets.cron, "recurrence": RuleTargets.recurrence, "duration": RuleTargets.duration,
    "date": RuleTargets.date, "tzif": ZoneTargets.tzif, "posix": ZoneTargets.posix,
    "definitions": DefinitionTargets.load, "stored": StoredTargets.stored, "template": SinkTargets.template,
    "plugin": SinkTargets.plugin, "retry-after": SinkTargets.retryAfter,
    "body": RequestTargets.body, "headers": RequestTargets.headers, "answer": RequestTargets.answer,
]

/// libFuzzer keeps the arguments for itself, so a variable names the target.
private let target: @Sendable ([UInt8]) -> Void = {
    let name = ProcessInfo.processInfo.environment["TMINUS_FUZZ_TARGET"] ?? ""
    guard let target = targets[name] else {
        demand(false, "TMINUS_FUZZ_TARGET is one of \(targets.keys.sorted().joined(separator: ", "))")
        return { _ in }
    }
    return target
}()

/// Called by libFuzzer with each input (llvm.org/docs/LibFuzzer.html).
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

/// Ends the process with a message unless a promise holds; libFuzzer then keeps the input. `precondition` would print
/// nothing in an optimized build.
func demand(_ holds: Bool, _ promise: @autoclosure () -> String) {
    guard !holds else { return }
    FileHandle.standardError.write(Data("broken promise: \(promise())\n".utf8))
    abort()
}
