extension Row {
    /// Rows 8 to 11: editors in a terminal.
    static let editors: [Row] = vim + emacs + otherEditors

    private static let substitute = "shown old; keys ':%s/old/new/' Enter ':wq' Enter; closed"

    private static func vim(_ title: String, _ command: String, _ tool: String = "vim", after: String = standardPlace)
        -> Row
    {
        .row(
            8, title, "term \(command) a.yaml; \(substitute)", modes: .both, needs: .terminal(tool), after: after)
    }

    private static let vim: [Row] = [
        vim("vim", "vim"),
        vim("vim, backupcopy=yes", "vim -c \"'set backupcopy=yes'\""),
        vim("vim, backupcopy=no", "vim -c \"'set backupcopy=no'\""),
        vim("vim, nowritebackup", "vim -c \"'set nowritebackup'\""),
        vim("vim, backup", "vim -c \"'set backup'\""),
        vim("vim -u NONE", "vim -u NONE"),
        vim(
            "vim on a symbolic link", "vim",
            after: "mkdir t o; item a old > o/a; ln -s ../o/a t/a.yaml; { item b b; more c c; } > t/b.yaml"),
        vim(
            "vim on a symbolic link inside", "vim",
            after: "mkdir t; item a old > t/a.txt; ln -s a.txt t/a.yaml; { item b b; more c c; } > t/b.yaml"),
        vim("vim on a hard link", "vim", after: standardPlace + "; ln t/a.yaml other"),
        vim("nvim", "nvim", "nvim"),
        .row(
            8, "vim, new file",
            "item n new > n; term vim n.yaml; shown n.yaml; keys ':0r ../n' Enter ':wq' Enter; closed",
            .sets(["n": "new"]), modes: .both, needs: .terminal("vim")),
        .row(
            8, "vim without a terminal", "vim -n -es -c '%s/old/new/' -c wq t/a.yaml", quick: true,
            needs: .tools("vim")),
        .row(
            8, "vim, three saves in one session",
            steps: [
                Step("term vim a.yaml; shown old; keys ':%s/old/new/' Enter ':w' Enter"),
                Step("keys ':%s/new/newer/' Enter ':w' Enter", .sets(["a": "newer"])),
                Step("keys ':%s/newer/newest/' Enter ':wq' Enter; closed", .sets(["a": "newest"])),
            ], needs: .terminal("vim")),
        .row(
            9, "vim, edited and left without a save", "term vim a.yaml; shown old; keys x ':q!' Enter; closed",
            .nothing,
            needs: .terminal("vim")),
        .row(
            9, "nvim, edited and left without a save", "term nvim a.yaml; shown old; keys x ':q!' Enter; closed",
            .nothing,
            needs: .terminal("nvim")),
    ]

    private static func emacs(_ title: String, _ setting: String) -> Row {
        .row(
            10, title,
            steps: [
                Step("term emacs -nw -Q \(setting) a.yaml; shown old; rename; keys C-x C-s"),
                Step("keys BSpace BSpace BSpace newer C-x C-s", .sets(["a": "newer"])),
                Step("keys C-x C-c; closed", .nothing),
            ], needs: .terminal("emacs"))
    }

    private static let emacs: [Row] = [
        emacs("emacs, first and second save", ""),
        emacs("emacs, backup-by-copying", "--eval \"'(setq backup-by-copying t)'\""),
        emacs("emacs, file-precious-flag", "--eval \"'(setq file-precious-flag t)'\""),
        .row(
            10, "emacs, auto-save and lock before the save",
            steps: [
                Step(
                    "term emacs -nw -Q a.yaml; shown old; rename; keys M-x do-auto-save Enter; await test -e 't/#a.yaml#'; await test -L 't/.#a.yaml'",
                    .nothing),
                Step("keys C-x C-s"),
                Step("keys C-x C-c; closed", .nothing),
            ], needs: .terminal("emacs")),
        .row(
            10, "emacs, new file",
            "item n new > n; term emacs -nw -Q n.yaml; shown n.yaml; keys C-x i C-a C-k ../n Enter C-x C-s C-x C-c; closed",
            .sets(["n": "new"]), needs: .terminal("emacs")),
    ]

    private static func editor(_ title: String, _ command: String, save: String) -> Row {
        let tool = String(command.prefix { $0 != " " })
        return .row(
            11, title, "term \(command) a.yaml; shown old; rename; keys \(save); closed", needs: .terminal(tool))
    }

    private static let otherEditors: [Row] = [
        editor("nano", "nano", save: "C-o Enter C-x"),
        editor("nano -B", "nano -B", save: "C-o Enter C-x"),
        editor("joe", "joe", save: "C-k x"),
        editor("mg", "mg", save: "C-x C-s C-x C-c"),
        editor("mcedit", "mcedit", save: "F2 Enter F10"),
        editor("micro", "micro", save: "C-s C-q"),
        .row(
            11, "kakoune",
            "term kak a.yaml; shown old; keys %sold Enter cnew; shown insert; keys Escape; hidden insert; keys ':wq' Enter; closed",
            needs: .terminal("kak")),
        .row(11, "ed", "printf '%s\\n' ,s/old/new/ w q | ed -s t/a.yaml", needs: .tools("ed")),
    ]
}
