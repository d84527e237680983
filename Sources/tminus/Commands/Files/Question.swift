/// Asks the user a question on standard error.
enum Question {
    /// Returns the answer without its newline, nil at end of input.
    static func ask(_ text: String) -> String? {
        StandardError.shared.write(text)
        return readLine()
    }
}
