internal import HTTPTypes
internal import Hummingbird
internal import TminusControl
internal import TminusCore

/// The routes of the web page. Its files tell nothing, so everybody may have them; what they show, they ask for.
extension ControlAPI {
    /// Registers the routes.
    func addPage(to routes: inout ControlRoutes) {
        routes.addReadable("/", .open) { request, _ in Self.shell(request) }
        routes.addReadable("/page/:version/:file", .open) { request, context in
            try Self.file(context.parameters.get("version"), context.parameters.get("file"), request)
        }
    }

    /// The shell, which browsers ask for each time: it names the version of everything else.
    static func shell(_ request: Request) -> Response {
        let tag = "\"\(PageFiles.own.version)\""
        let known = request.headers[.ifNoneMatch].map { $0.contains(tag) } ?? false
        var response = known ? Response(status: .notModified) : answer(PageFiles.own.shell, request)
        response.headers[.eTag] = "W/\(tag)"
        response.headers[.cacheControl] = "no-cache"
        return response
    }

    /// A file. One of another version is not here: a page never runs with files of two versions.
    static func file(_ version: String?, _ name: String?, _ request: Request) throws(Problem) -> Response {
        guard version == PageFiles.own.version, let file = name.flatMap({ PageFiles.own.files[$0] }) else {
            throw Problem(.notFound, "the page has no such file in this version; load it again")
        }
        var response = answer(file, request)
        response.headers[.cacheControl] = "public, max-age=31536000, immutable"
        return response
    }

    private static func answer(_ file: PageFile, _ request: Request) -> Response {
        var headers: HTTPFields = [.contentType: file.type, .vary: "Accept-Encoding"]
        guard let zipped = file.zipped, takesGzip(request.headers[.acceptEncoding] ?? "") else {
            return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: file.plain))
        }
        headers[.contentEncoding] = "gzip"
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: zipped))
    }

    /// Whether a client takes gzip (RFC 9110, section 12.5.3). Browsers name it without a weight.
    static func takesGzip(_ accepted: String) -> Bool {
        accepted.split(separator: ",").contains { part in
            let words = part.split(separator: ";").map { $0.filter { $0 != " " }.lowercased() }
            return words.first == "gzip"
                && !words.dropFirst().contains { $0.hasPrefix("q=0") && !$0.contains { "123456789".contains($0) } }
        }
    }
}
