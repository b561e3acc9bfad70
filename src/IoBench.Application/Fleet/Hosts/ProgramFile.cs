using System.Security.Cryptography;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>A program file to copy to hosts, identified by its SHA-256.</summary>
/// <param name="Hash">SHA-256 as 64 lowercase hexadecimal digits.</param>
public sealed record ProgramFile(string Path, string Hash, long Length)
{
    private const int Block = 1 << 18;

    /// <summary>Line on which the host asks for the bytes of the program.</summary>
    internal const string CopyWanted = "iobench copy wanted";

    /// <summary>Line on which the host confirms that its copy has the expected hash.</summary>
    internal const string CopyComplete = "iobench copy there";

    /// <summary>Script for the POSIX shell of a host that copies the program to a folder of the user, if the host does not have the same
    /// copy, and runs it. Arguments: hash and length of the program, then the arguments of the program.</summary>
    internal const string CopyScript = """
        umask 077
        d=
        for b in "${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}" "/var/tmp/iobench-$(id -u)"; do
          case $b in /var/tmp/*) mkdir -m 700 "$b" 2>/dev/null; [ -O "$b" ] && [ ! -h "$b" ] || continue;; esac
          mkdir -p "$b/iobench/fleet" 2>/dev/null && [ -O "$b/iobench/fleet" ] && [ -w "$b/iobench/fleet" ] && d=$b/iobench/fleet && break
        done
        [ -n "$d" ] || { echo "this user has no writable folder" >&2; exit 70; }
        h=$1; n=$2; p=$d/iobench-$h; shift 2
        sum() { [ -f "$1" ] || return 0; if command -v sha256sum >/dev/null 2>&1; then sha256sum < "$1"; else shasum -a 256 < "$1"; fi | cut -c1-64; }
        if [ "$(sum "$p")" != "$h" ]; then
          echo "iobench copy wanted"
          t=$d/.copy-$h.$$
          head -c "$n" > "$t" && [ "$(sum "$t")" = "$h" ] && chmod 700 "$t" && mv -f "$t" "$p" || {
            rm -f "$t"; echo "the program was not copied completely to $d" >&2; exit 71
          }
        fi
        chmod 700 "$p" && echo "iobench copy there"
        exec "$p" "$@"
        """;

    public static ProgramFile FromPath(string path)
    {
        ArgumentNullException.ThrowIfNull(path);
        try
        {
            using var stream = File.OpenRead(path);
            // A framework-dependent .NET program needs its DLL in the same folder, and only this file would be copied.
            if (File.Exists(System.IO.Path.ChangeExtension(path, ".runtimeconfig.json")))
                throw IoBenchException.Usage(
                    FleetErrorIds.ProgramFile,
                    $"{path} requires the other files in its folder. Specify the single-file program for the operating system of the hosts.",
                    path
                );
            CryptoLibrary.RequireInstalled();
            return new ProgramFile(path, Convert.ToHexString(SHA256.HashData(stream)).ToLowerInvariant(), stream.Length);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw IoBenchException.NotFound(FleetErrorIds.ProgramFile, $"{path} cannot be read: {e.Message}", path);
        }
    }

    internal void WriteTo(Stream stream, Action goesOn)
    {
        using var file = File.OpenRead(Path);
        var block = new byte[Block];
        for (int count; (count = file.Read(block)) > 0; goesOn())
            stream.Write(block, 0, count);
        stream.Flush();
    }
}
