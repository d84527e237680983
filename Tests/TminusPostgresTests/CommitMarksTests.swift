import Testing

@testable import TminusPostgres

@Suite("PostgreSQL store: marks of writes")
struct CommitMarksTests {
    private var marks = CommitMarks()

    @Test("each write has a higher mark than that before, also after one without an answer")
    mutating func order() {
        let (lost, next, third) = (marks.next(), marks.next(), marks.next())
        #expect(lost < next && next < third)
        #expect(marks.kept == nil && marks.durable == nil)
    }

    @Test("two leaders do not begin with the same mark")
    mutating func start() {
        var other = CommitMarks()
        #expect(marks.next() != other.next())
    }

    @Test("the mark of the last durable write stays after writes that are not durable")
    mutating func durable() {
        let (first, second) = (marks.next(), marks.next())
        marks.written(first, isDurable: true)
        marks.written(second, isDurable: false)
        #expect(marks.kept == second && marks.durable == first)
    }

    @Test("a write without an answer that is found later does not hide a later durable one")
    mutating func found() {
        let (lost, later) = (marks.next(), marks.next())
        marks.written(later, isDurable: true)
        marks.written(lost, isDurable: true)
        #expect(marks.durable == later)
    }
}
