/// A value that no log, message or listing may show. Whoever needs it takes ``bytes``; printed, it says nothing.
package struct Secret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The value itself. At least one byte; need not be UTF-8.
    package let bytes: [UInt8]

    package var description: String { "(secret)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
