# Turns Configuration.md, the reference of keys, into a manual page in mdoc(7).
# usage: awk -v date='November 24, 2026' -f reference-to-mdoc.awk Configuration.md

function escape(text) {
    gsub(/\\/, "\\e", text)
    return text
}

# Text with Markdown marks: code and emphasis become bold, links become their text.
function inline(text) {
    text = escape(text)
    while (match(text, /\[[^]]*\]\([^)]*\)/)) {
        link = substr(text, RSTART + 1, RLENGTH - 2)
        sub(/\]\(.*/, "", link)
        text = substr(text, 1, RSTART - 1) link substr(text, RSTART + RLENGTH)
    }
    while (match(text, /``[^`]+``/))
        text = substr(text, 1, RSTART - 1) "\\fB" substr(text, RSTART + 2, RLENGTH - 4) "\\fR" substr(text, RSTART + RLENGTH)
    while (match(text, /`[^`]+`/))
        text = substr(text, 1, RSTART - 1) "\\fB" substr(text, RSTART + 1, RLENGTH - 2) "\\fR" substr(text, RSTART + RLENGTH)
    while (match(text, /\*\*[^*]+\*\*/))
        text = substr(text, 1, RSTART - 1) "\\fB" substr(text, RSTART + 2, RLENGTH - 4) "\\fR" substr(text, RSTART + RLENGTH)
    return text
}

# A line of text: a dot or an apostrophe at its beginning would be a request.
function say(text) {
    if (text ~ /^[.']/) text = "\\&" text
    print text
    fresh = 0
}

function paragraph() {
    if (!fresh) print ".Pp"
    fresh = 1
}

function end_list() {
    if (list != "") print ".El"
    list = ""
}

function macro(name, text) {
    gsub(/"/, "\\(dq", text)
    print "." name " \"" text "\""
    fresh = 1
}

BEGIN {
    print ".Dd " date
    print ".Dt TMINUS-CONFIG 5"
    print ".Os"
    print ".Sh NAME"
    print ".Nm tminus-config"
    print ".Nd definition files of tminus"
    print ".Sh DESCRIPTION"
    fresh = 1
}

/^```/ {
    if (literal) { print ".Ed"; literal = 0; fresh = 0; next }
    end_list()
    print ".Bd -literal -offset indent"
    literal = 1
    next
}
literal { say(escape($0)); next }
/<!--/ { comment = 1 }
comment { if (/-->/) comment = 0; next }
/^# / { next }
/^### / { end_list(); macro("Ss", inline(substr($0, 5))); next }
/^## / { end_list(); macro("Sh", toupper(inline(substr($0, 4)))); next }
/^\| *---/ { next }
/^\|/ {
    row = $0
    gsub(/\\\|/, "\001", row)
    sub(/^\| */, "", row)
    sub(/ *\|$/, "", row)
    count = split(row, cells, / *\| */)
    for (i = 1; i <= count; i++) gsub(/\001/, "|", cells[i])
    if (list != "table") {
        # The first row names the columns.
        end_list()
        for (i = 1; i <= count; i++) heads[i] = cells[i]
        print ".Bl -tag -width 6n"
        list = "table"
        next
    }
    macro("It", inline(cells[1]))
    for (i = 2; i <= count; i++) {
        if (cells[i] == "") continue
        head = heads[i]
        if (head == "meaning") say(inline(toupper(substr(cells[i], 1, 1)) substr(cells[i], 2)) ".")
        else say(toupper(substr(head, 1, 1)) substr(head, 2) ": " inline(cells[i]) ".")
    }
    next
}
/^- / {
    if (list != "bullet") { end_list(); print ".Bl -bullet"; list = "bullet" }
    print ".It"
    say(inline(substr($0, 3)))
    next
}
/^$/ {
    if (list == "table") { end_list(); fresh = 0 }
    blank = 1
    next
}
{
    if (list == "bullet" && !/^  /) { end_list(); fresh = 0 }
    if (blank && list == "") paragraph()
    blank = 0
    text = $0
    sub(/^ +/, "", text)
    say(inline(text))
}

END {
    end_list()
    print ".Sh SEE ALSO"
    print ".Xr tminus 1 ,"
    print ".Xr tminus-check 1 ,"
    print ".Xr tminus-schema 1"
}
