import Foundation
import Glibc
import Testing
import TminusCore
import TminusTestKit

@testable import TminusSystem

@Suite("Thread of the services", .timeLimit(.minutes(20)))
struct ServiceThreadTests {
    @Test("tasks with the preference run on the one thread, also after they have waited, and so do their children")
    func place() async throws {
        let thread = try ServiceThread()
        defer { thread.end() }
        let threads = await withTaskExecutorPreference(thread) {
            var threads = [here()]
            await Task.yield()
            threads.append(here())
            // To be woken by a timer is the test.
            try? await Task.sleep(for: .milliseconds(1))
            threads.append(here())
            return await withTaskGroup(of: pthread_t.self) { group in
                for _ in 0..<3 { group.addTask { here() } }
                for await child in group { threads.append(child) }
                return threads
            }
        }
        #expect(threads.count == 6)
        #expect(Set(threads).count == 1)
    }

    @Test("a task that begins at once does so on the thread, and goes on elsewhere after it has waited")
    func immediate() async throws {
        let thread = try ServiceThread()
        defer { thread.end() }
        let (own, first, second) = await withTaskExecutorPreference(thread) {
            // Not a sleep: one that is over before the task is put aside does not wait, on a machine that is busy.
            let (releases, release) = AsyncStream.makeStream(of: Void.self)
            let task = Task.immediate {
                let first = here()
                for await _ in releases { break }
                return (first, here())
            }
            release.yield()
            let (first, second) = await task.value
            return (here(), first, second)
        }
        #expect(first == own)
        #expect(second != own)
    }

    @Test("jobs run in the order in which they came")
    func order() async throws {
        let thread = try ServiceThread()
        defer { thread.end() }
        // More than are run before descriptors get a look.
        let order = await withTaskExecutorPreference(thread) {
            await withTaskGroup(of: Int.self) { group in
                for number in 0..<1_000 { group.addTask { number } }
                var order: [Int] = []
                for await number in group { order.append(number) }
                return order
            }
        }
        #expect(order == Array(0..<1_000))
    }

    @Test("messages from other threads, which come while it sleeps or works, are all taken")
    func wakes() async throws {
        let thread = try ServiceThread()
        defer { thread.end() }
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        let summing = Task(executorPreference: thread) {
            var sum = 0
            for await number in stream { sum += number }
            return sum
        }
        await withDiscardingTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    for number in 1...1_000 {
                        continuation.yield(number)
                        // The pauses let the thread fall asleep between messages.
                        if number.isMultiple(of: 100) { try? await Task.sleep(for: .microseconds(200)) }
                    }
                }
            }
        }
        continuation.finish()
        let sum = await summing.value
        #expect(sum == 4 * 500_500)
    }

    @Test("an alarm rings on it, also while jobs follow one another without end")
    func rings() async throws {
        let thread = try ServiceThread()
        defer { thread.end() }
        let own = await withTaskExecutorPreference(thread) { here() }
        let rung = Watched<pthread_t?>(nil)
        let alarm = TimerFDClock(on: thread).makeAlarm { rung.update { $0 = here() } }
        await withTaskExecutorPreference(thread) {
            alarm.set(TimerFDClock.now.advanced(by: .milliseconds(5)))
            // Each comes back as a job at once.
            while rung.value == nil { await Task.yield() }
        }
        #expect(rung.value == own)
    }

    @Test("a descriptor is told of until its watch ends")
    func unwatches() async throws {
        let thread = try ServiceThread()
        defer { thread.end() }
        let pipe = Foundation.Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data([1]))
        let descriptor = pipe.fileHandleForReading.fileDescriptor
        let calls = Watched(0)
        let key = try #require(thread.watch(descriptor) { calls.update { $0 += 1 } })
        #expect(await calls.wait(upTo: Bounded.limit) { $0 >= 3 })
        thread.unwatch(descriptor, key)
        // What runs on the thread afterwards comes after the last call.
        await withTaskExecutorPreference(thread) {}
        let last = calls.value
        await withTaskExecutorPreference(thread) { await Task.yield() }
        #expect(calls.value == last)
    }

    @Test("what is asked for while it ends, and afterwards, is done all the same")
    func late() async throws {
        let thread = try ServiceThread()
        thread.end()
        thread.end()
        for number in 0..<20 {
            let answer = await withTaskExecutorPreference(thread) {
                await Task.yield()
                return number
            }
            #expect(answer == number)
        }
    }

    @Test("one that ends leaves no thread and no descriptor behind")
    func leavesNothing() async {
        // In a process of its own, whose threads and descriptors are no other test's.
        await #expect(processExitsWith: .success) {
            func count(_ folder: String) throws -> Int {
                try FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(folder)").count
            }
            func once() async throws {
                let thread = try ServiceThread()
                let alarm = TimerFDClock(on: thread).makeAlarm()
                alarm.set(.distantPast)
                await withTaskExecutorPreference(thread) {
                    var rings = alarm.rings.makeAsyncIterator()
                    await rings.next()
                }
                thread.end()
            }
            // The pool has its threads then.
            for _ in 0..<10 { try await once() }
            let descriptors = try count("fd")
            let threads = try count("task")
            for _ in 0..<100 { try await once() }
            // The last thread may be on its way out.
            for _ in 0..<1_000 where try count("fd") > descriptors + 4 || count("task") > threads + 4 {
                // The kernel tells nobody of the end of a thread: count again.
                try await Task.sleep(for: .milliseconds(10))
            }
            try #require(try count("fd") <= descriptors + 4)
            try #require(try count("task") <= threads + 4)
        }
    }

    @Test("without descriptors left it says so")
    func shortage() async {
        await #expect(processExitsWith: .success) {
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            limit.rlim_cur = 0
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            let error = try #require(throws: SystemError.self) { try ServiceThread() }
            try #require(error.message == "cannot start a thread for the services: Too many open files")
        }
    }
}

/// The thread that runs this.
private func here() -> pthread_t { pthread_self() }
