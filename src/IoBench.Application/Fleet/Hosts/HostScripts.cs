namespace IoBench.Application;

internal static class HostScriptRunner
{
    public const string CopyWanted = "iobench copy wanted";

    public const string CopyComplete = "iobench copy there";

    public const int StillRunningExitCode = 75;

    /// <summary>
    /// Sets $d to the folder: in the user's cache, or below /var/tmp if the home directory is not writable. The user must own the folder.
    /// </summary>
    private const string FolderScript = """
        umask 077
        d=
        for b in "${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}" "/var/tmp/iobench-$(id -u)"; do
          case $b in /var/tmp/*) mkdir -m 700 "$b" 2>/dev/null; [ -O "$b" ] && [ ! -h "$b" ] || continue;; esac
          mkdir -p "$b/iobench/fleet" 2>/dev/null && [ -O "$b/iobench/fleet" ] && [ -w "$b/iobench/fleet" ] && d=$b/iobench/fleet && break
        done
        [ -n "$d" ] || { echo "no folder of this user can be written to" >&2; exit 70; }

        """;

    /// <summary>Reads the arguments hash, length, and program, copies the program if needed, and sets $p to it.</summary>
    private const string CopyScript = """
        h=$1; n=$2; p=$3; shift 3
        sum() { [ -f "$1" ] || return 0; if command -v sha256sum >/dev/null 2>&1; then sha256sum < "$1"; else shasum -a 256 < "$1"; fi | cut -c1-64; }
        if [ -n "$h" ]; then
          p=$d/iobench-$h
          if [ "$(sum "$p")" != "$h" ]; then
            echo "iobench copy wanted"
            t=$d/.copy-$h.$$
            head -c "$n" > "$t" && [ "$(sum "$t")" = "$h" ] && chmod 700 "$t" && mv -f "$t" "$p" || { rm -f "$t"; echo "the program was not copied whole to $d" >&2; exit 71; }
          fi
          chmod 700 "$p" && echo "iobench copy there"
        fi

        """;

    /// <summary>
    /// Starts a member that reads commands from its standard input. Arguments: hash, length, program, then the arguments of the member.
    /// </summary>
    public const string RunScript =
        FolderScript
        + CopyScript
        + """
            exec "$p" "$@"
            """;

    /// <summary>
    /// Starts a detached member; its plan comes on standard input. Arguments: hash, length, program, name of its files, then its arguments
    /// after <c>--specification FILE</c>.
    /// </summary>
    public const string DetachScript =
        FolderScript
        + CopyScript
        + """
            f=$d/$1; shift
            [ ! -e "$f.jsonl" ] || { echo "$f.jsonl is there already" >&2; exit 72; }
            cat > "$f.plan.json" || exit 72
            set -- "$p" run --specification "$f.plan.json" "$@"
            if command -v setsid >/dev/null 2>&1; then set -- setsid "$@"; else set -- nohup "$@"; fi
            "$@" > "$f.jsonl" 2> "$f.err" < /dev/null &
            pid=$!
            echo "$pid" > "$f.pid"
            i=0
            while [ $i -lt 150 ]; do
              if [ "$(head -n 1 "$f.jsonl" | tail -c 2)" = "}" ]; then head -n 1 "$f.jsonl"; exit 0; fi
              kill -0 "$pid" 2>/dev/null || { head -n 5 "$f.err" >&2; rm -f "$f.jsonl" "$f.plan.json" "$f.err" "$f.pid"; exit 73; }
              sleep 0.2 2>/dev/null || sleep 1
              i=$((i+1))
            done
            echo "the member says nothing" >&2
            exit 73
            """;

    /// <summary>Prints the output of a detached member. Argument: name of its files.</summary>
    public const string FetchScript =
        FolderScript
        + """
            f=$d/$1
            [ -f "$f.jsonl" ] || { echo "there is no $f.jsonl" >&2; exit 74; }
            runs=
            if pid=$(cat "$f.pid" 2>/dev/null) && kill -0 "$pid" 2>/dev/null; then runs=1; fi
            cat "$f.jsonl" || exit 74
            [ -z "$runs" ] || exit 75
            """;

    /// <summary>
    /// Removes test files that IoBench created, copied programs, and files of detached members that have ended. Arguments: hash, length,
    /// program, then paths of test files.
    /// </summary>
    public const string RemoveScript =
        FolderScript
        + CopyScript
        + """
            code=0
            for path in "$@"; do
              if [ -d "$path" ]; then path=${path%/}/iobench.dat; fi
              [ -e "$path" ] || continue
              if "$p" remove "$path" < /dev/null; then echo "removed $path"; else code=1; fi
            done
            for f in "$d"/[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]-[0-9][0-9][0-9][0-9][0-9][0-9]-????.*.plan.json; do
              [ -f "$f" ] || continue
              f=${f%.plan.json}
              if pid=$(cat "$f.pid" 2>/dev/null) && kill -0 "$pid" 2>/dev/null; then echo "$f.jsonl stays: its member still runs" >&2; code=1; continue; fi
              rm -f "$f.plan.json" "$f.jsonl" "$f.err" "$f.pid" && echo "removed $f.jsonl"
            done
            for f in "$d"/iobench-* "$d"/.copy-*; do
              h=${f##*/}; h=${h#iobench-}; h=${h#.copy-}; h=${h%%.*}
              [ -f "$f" ] && [ ! -h "$f" ] && [ ${#h} = 64 ] || continue
              case $h in *[!0-9a-f]*) continue;; esac
              rm -f "$f" && echo "removed $f"
            done
            rmdir "$d" "${d%/fleet}" 2>/dev/null
            case $d in /var/tmp/*) rmdir "${d%/iobench/fleet}" 2>/dev/null;; esac
            exit $code
            """;
}
