using System.ComponentModel;
using System.Diagnostics;
using System.Text;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Runs scripts in the POSIX shell of hosts. They store files only in one folder of the user, under unique names.</summary>
internal static class HostScriptRunner
{
    private static readonly TimeSpan s_pollInterval = TimeSpan.FromMilliseconds(100);

    public static (string File, IReadOnlyList<string> Arguments) GetCommand(FleetHost host, string script, IEnumerable<string> words)
    {
        string[] all = ["sh", "-c", script, "iobench", .. words];
        return host.Transport == FleetTransportKind.Local ? (all[0], all[1..]) : MemberCommandLine.CreateSshCommand(host, all);
    }

    /// <param name="program">Program to send if the host asks for it; null if it never does.</param>
    /// <param name="input">Other standard input; null if there is none.</param>
    /// <param name="silence">Time without output after which the host is given up.</param>
    /// <returns>Exit code, null if the script was given up or could not be started; and the last line on standard error.</returns>
    public static (int? ExitCode, string? Error) Run(
        FleetHost host,
        string script,
        IEnumerable<string> words,
        ProgramFile? program,
        string? input,
        Action<string> lineHandler,
        TimeSpan silence,
        CancellationToken cancelled
    )
    {
        var (file, arguments) = GetCommand(host, script, words);
        Process process;
        try
        {
            var encoding = new UTF8Encoding(false);
            process = Process.Start(
                new ProcessStartInfo(file, arguments)
                {
                    RedirectStandardInput = true,
                    RedirectStandardOutput = true,
                    RedirectStandardError = true,
                    UseShellExecute = false,
                    StandardInputEncoding = encoding,
                    StandardOutputEncoding = encoding,
                    StandardErrorEncoding = encoding,
                }
            )!;
        }
        catch (Win32Exception error)
        {
            return (null, $"{file} cannot be started: {error.Message}");
        }
        using (process)
        {
            var last = Clock.Now;
            string? complaint = null;
            var errors = StartReader(process.StandardError, line => complaint = line.Trim().Length > 0 ? line.Trim() : complaint);
            var output = StartReader(
                process.StandardOutput,
                line =>
                {
                    Volatile.Write(ref last, Clock.Now);
                    if (line == HostScriptRunner.CopyWanted)
                        TryWriteInput(() => program?.WriteTo(process.StandardInput.BaseStream, () => Volatile.Write(ref last, Clock.Now)));
                    else if (line == HostScriptRunner.CopyComplete)
                        TryWriteInput(() => EndInput(process, input));
                    else
                        lineHandler(line);
                }
            );
            if (program is null)
                TryWriteInput(() => EndInput(process, input));
            while (!process.WaitForExit(s_pollInterval))
            {
                if (!cancelled.IsCancellationRequested && Clock.Now - Volatile.Read(ref last) < Clock.ToNanoseconds(silence))
                    continue;
                process.Kill(entireProcessTree: true);
                return (
                    null,
                    cancelled.IsCancellationRequested
                        ? "stopped."
                        : FormattableString.Invariant($"it sent nothing for {silence.TotalSeconds:0} s.")
                );
            }
            output.Join(s_pollInterval * 50);
            errors.Join(s_pollInterval * 50);
            return (process.ExitCode, complaint);
        }
    }

    private static void EndInput(Process process, string? input)
    {
        process.StandardInput.Write(input);
        process.StandardInput.Close();
    }

    private static void TryWriteInput(Action send)
    {
        try
        {
            send();
        }
        catch (Exception e) when (e is IOException or ObjectDisposedException)
        {
            // The script has ended. Its exit code and its last error line tell why.
        }
    }

    private static Thread StartReader(StreamReader reader, Action<string> take)
    {
        var thread = new Thread(() =>
        {
            try
            {
                while (reader.ReadLine() is { } line)
                    take(line);
            }
            catch (Exception e) when (e is IOException or ObjectDisposedException or InvalidOperationException)
            {
                // Treat an error of the pipe as the end of the output.
            }
        })
        {
            IsBackground = true,
            Name = "IoBench host script",
        };
        thread.Start();
        return thread;
    }

    public const string CopyWanted = "iobench copy wanted";

    public const string CopyComplete = "iobench copy there";

    public const int StillRunningExitCode = 75;

    /// <summary>Sets $d to a folder that the user owns: in the cache, or below /var/tmp if the home directory is not writable.</summary>
    private const string FolderScript = """
        umask 077
        d=
        for b in "${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}" "/var/tmp/iobench-$(id -u)"; do
          case $b in /var/tmp/*) mkdir -m 700 "$b" 2>/dev/null; [ -O "$b" ] && [ ! -h "$b" ] || continue;; esac
          mkdir -p "$b/iobench/fleet" 2>/dev/null && [ -O "$b/iobench/fleet" ] && [ -w "$b/iobench/fleet" ] && d=$b/iobench/fleet && break
        done
        [ -n "$d" ] || { echo "this user has no writable folder" >&2; exit 70; }

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
            head -c "$n" > "$t" && [ "$(sum "$t")" = "$h" ] && chmod 700 "$t" && mv -f "$t" "$p" || {
              rm -f "$t"; echo "the program was not copied whole to $d" >&2; exit 71
            }
          fi
          chmod 700 "$p" && echo "iobench copy there"
        fi

        """;

    /// <summary>Starts a member. Arguments: hash, length, program, then the arguments of the member.</summary>
    public const string RunScript =
        FolderScript
        + CopyScript
        + """
            exec "$p" "$@"
            """;

    /// <summary>Starts a detached member; its plan comes on standard input. Arguments: hash, length, program, name of its files, then its
    /// arguments after <c>--specification FILE</c>.</summary>
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

    /// <summary>Removes test files, copied programs, and files of ended members. Arguments: hash, length, program, then paths of test
    /// files.</summary>
    public const string RemoveScript =
        FolderScript
        + CopyScript
        + """
            code=0
            for path in "$@"; do
              if [ -d "$path" ]; then path=${path%/}/iobench.dat; fi
              [ -e "$path" ] || continue
              if "$p" remove -- "$path" < /dev/null; then echo "removed $path"; else code=1; fi
            done
            for f in "$d"/[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]-[0-9][0-9][0-9][0-9][0-9][0-9]-????.*.plan.json; do
              [ -f "$f" ] || continue
              f=${f%.plan.json}
              if pid=$(cat "$f.pid" 2>/dev/null) && kill -0 "$pid" 2>/dev/null; then
                echo "$f.jsonl stays: its member still runs" >&2; code=1; continue
              fi
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
