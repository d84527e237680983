/// A question to whoever sits before standard input.
enum Question {
    /// The answer without its line end; nil at the end of the input.
    static func ask(_ text: String) -> String? {
        StandardError.shared.write(text)
        StandardError.shared.flush()
        return readLine()
    }
}
