using System.Globalization;
using System.Text;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Parses DiskSpd's command line: all options through 2.3. An option that IoBench does not support is an error.</summary>
public static class DiskSpdCommandLine
{
    /// <summary>Parses a command line that runs one test. <see cref="TestOrigin.DiskSpd"/> holds what DiskSpd would print.</summary>
    /// <param name="slashOptions">Whether <c>/b8K</c> is an option. Null means only on Windows: elsewhere a slash starts a path.</param>
    /// <exception cref="IoBenchException">The command line or its profile is invalid or not supported.</exception>
    public static IoTestSpecification Parse(IReadOnlyList<string> args, string? folder = null, bool? slashOptions = null)
    {
        var call = ParseCall(args, folder, slashOptions);
        if (call.ShowsUsage || call.SystemOnly)
            throw CreateInvalidError("this command line shows help or information about the computer, and does not run a test.");
        return call.Specifications.Count == 1
            ? call.Specifications[0]
            : throw CreateInvalidError($"the profile has {call.Specifications.Count} timespans. A single test requires exactly one.");
    }

    /// <summary>Parses a line of a batch file or a prompt, including the program's name.</summary>
    public static DiskSpdCall ParseLine(string line, string? folder = null)
    {
        ArgumentNullException.ThrowIfNull(line);
        var words = CommandLineSplitter.Split(line);
        // The program can be "diskspd" or "iobench diskspd". Words before the first one that names DiskSpd are skipped.
        var program = words.FindIndex(w => ToolName.IsDiskSpd(w));
        var call = ParseCall(words.Skip(program + 1).ToList(), folder, slashOptions: true);
        foreach (var specification in call.Specifications)
            specification.GetOrAddOrigin().CommandLine = line.Trim();
        return call;
    }

    /// <summary>Parses a whole call, including help, output format, and profiles with several timespans.</summary>
    public static DiskSpdCall ParseCall(IReadOnlyList<string> args, string? folder = null, bool? slashOptions = null)
    {
        ArgumentNullException.ThrowIfNull(args);
        return ReadCall(args, folder, slashOptions, isToRun: true);
    }

    /// <param name="isToRun">False for a call that another computer has run, which need not be possible on this one.</param>
    internal static DiskSpdCall ReadCall(IReadOnlyList<string> args, string? folder, bool? slashOptions, bool isToRun)
    {
        var call = new DiskSpdCallParser(slashOptions ?? OperatingSystem.IsWindows());
        call.Parse(args);
        if (call.ShowsUsage)
            return new DiskSpdCall { ShowsUsage = true };
        if (call.ShowsSystem)
            return new DiskSpdCall { SystemOnly = true, ResultFormat = call.Format };
        var specifications = call.CreateSpecifications(folder);
        if (isToRun && !call.ProfileOnly)
            DiskSpdSupport.PrepareToRun(specifications, call.Notes);
        var commandLine = "diskspd " + string.Join(' ', args.Select(CommandLineSplitter.Quote));
        var note = call.Notes.Count == 0 ? null : string.Join(" ", call.Notes);
        foreach (var specification in specifications)
        {
            specification.GetOrAddOrigin().CommandLine = commandLine;
            specification.GetOrAddOrigin().OutputFile = call.OutputFile;
            specification.GetOrAddOrigin().DiskSpd!.Note = note;
        }
        return new DiskSpdCall
        {
            Specifications = specifications,
            ResultFormat = call.Format,
            ProfileOnly = call.ProfileOnly,
            Notes = call.Notes,
        };
    }

    /// <summary>The original command line if it is DiskSpd's; otherwise the nearest one.</summary>
    internal static string FormatCommandLine(IoTestSpecification s)
    {
        if (s.GetOrAddOrigin() is { DiskSpd: not null, CommandLine: { } given })
            return given;
        var text = new StringBuilder("diskspd");
        Append(
            text,
            $" -d{FormatSeconds(s.Duration)} -W{FormatSeconds(s.WarmUp)} -C{FormatSeconds(s.CoolDown)} -b{FormatSize(s.BlockSize)}"
        );
        var pool = s.SharedThreadPool ? s.PoolOutstandingIO : null;
        Append(text, $" {(s.SharedThreadPool ? "-F" : "-t")}{s.ThreadCount} {(pool is null ? "-o" : "-O")}{pool ?? s.OutstandingIO}");
        Append(text, $" -w{s.WritePercent}");
        text.Append(FormatOrder(s));
        text.Append(
            s.Buffering switch
            {
                IoBuffering.None => " -Sh",
                IoBuffering.Hardware => " -Su",
                IoBuffering.Software => " -Sw",
                _ => " -Sb",
            }
        );
        text.Append(
            s.WriteContent switch
            {
                IoWriteContentKind.Zero => " -Z",
                IoWriteContentKind.Random when s.WritePercent > 0 => " -Zr",
                _ => "",
            }
        );
        if (s.FileSize is long size)
            Append(text, $" -c{FormatSize(size)}");
        if (s.MaxIopsPerThread is double rate)
            Append(text, $" -g{rate:0}i");
        if (s.BurstSize > 0)
            Append(text, $" -i{s.BurstSize} -j{s.ThinkTimeMs}");
        Append(text, $" -z{s.Seed} -L -D{s.TimelineInterval.TotalMilliseconds:0}");
        foreach (var target in s.Targets)
            text.Append(' ').Append(target.Path);
        return text.ToString();
    }

    private static string FormatOrder(IoTestSpecification s)
    {
        var alignment = s.Alignment is long a ? FormatSize(a) : "";
        var stride = s.Stride is long b ? FormatSize(b) : "";
        return s.AccessPattern switch
        {
            IoAccessPattern.Random => " -r" + alignment,
            IoAccessPattern.PartRandom => string.Create(CultureInfo.InvariantCulture, $" -rs{s.RandomPercent}")
                + (alignment.Length > 0 ? " -r" + alignment : ""),
            IoAccessPattern.Interlocked => " -si" + stride,
            _ => " -s" + stride,
        };
    }

    private static void Append(StringBuilder text, FormattableString part) => text.Append(part.ToString(CultureInfo.InvariantCulture));

    private static string FormatSeconds(TimeSpan time) => Math.Ceiling(time.TotalSeconds).ToString("0", CultureInfo.InvariantCulture);

    private static string FormatSize(long bytes) =>
        (bytes, bytes % (1 << 30), bytes % (1 << 20), bytes % 1024) switch
        {
            (> 0, 0, _, _) => (bytes >> 30).ToString(CultureInfo.InvariantCulture) + "G",
            (> 0, _, 0, _) => (bytes >> 20).ToString(CultureInfo.InvariantCulture) + "M",
            (> 0, _, _, 0) => (bytes >> 10).ToString(CultureInfo.InvariantCulture) + "K",
            _ => NumberFormat.Integer(bytes),
        };

    internal static string? GetDevicePath(string path)
    {
        if (path.Length >= 2 && path[0] == '#' && path.AsSpan(1).IndexOfAnyExceptInRange('0', '9') < 0)
            return @"\\.\PhysicalDrive" + path[1..];
        return path.Length == 2 && char.IsAsciiLetter(path[0]) && path[1] == ':' ? @"\\.\" + path : null;
    }

    /// <summary>As C's <c>atoi</c>: ignores text after the digits. No digits are 0, and a larger number is the maximum.</summary>
    internal static int ParseNumber(ReadOnlySpan<char> text, out bool isPlain)
    {
        var rest = text.TrimStart();
        var negative = rest.StartsWith("-");
        if (negative || rest.StartsWith("+"))
            rest = rest[1..];
        long value = 0;
        var digits = 0;
        while (digits < rest.Length && char.IsAsciiDigit(rest[digits]))
            value = Math.Min(value * 10 + (rest[digits++] - '0'), int.MaxValue);
        isPlain = digits > 0 && digits == rest.Length;
        return (int)(negative ? -value : value);
    }

    /// <summary>Digits and K, M, G, T (1024-based) or b (blocks). False without a digit, or if the size is too large.</summary>
    internal static bool TryParseSize(ReadOnlySpan<char> text, long blockSize, out long bytes, out ReadOnlySpan<char> rest)
    {
        bytes = 0;
        var digits = 0;
        while (digits < text.Length && char.IsAsciiDigit(text[digits]))
            digits++;
        rest = text[digits..];
        if (digits == 0 || !decimal.TryParse(text[..digits], NumberStyles.None, CultureInfo.InvariantCulture, out var number))
            return false;
        long? factor = rest.IsEmpty
            ? null
            : char.ToUpperInvariant(rest[0]) switch
            {
                'K' => 1L << 10,
                'M' => 1L << 20,
                'G' => 1L << 30,
                'T' => 1L << 40,
                'B' => blockSize,
                _ => null,
            };
        if (factor is not null)
            rest = rest[1..];
        if (number > long.MaxValue / Math.Max(1, factor ?? 1))
            return false;
        bytes = (long)number * (factor ?? 1);
        return true;
    }

    internal static bool TryParseSize(ReadOnlySpan<char> text, long blockSize, out long bytes) =>
        TryParseSize(text, blockSize, out bytes, out var rest) && rest.IsEmpty;

    internal static void ThrowIf(bool isWrong, string what)
    {
        if (isWrong)
            throw CreateInvalidError(what + ".");
    }

    internal static IoBenchException CreateInvalidError(string what, IoMessage? advice = null) =>
        IoBenchException.Usage("IoBench.InvalidCommandLine", "diskspd: " + what, advice: advice);

    internal static IoBenchException CreateNotSupportedError(string what, IoMessage? advice = null) =>
        IoBenchException.Usage("IoBench.NotSupported", "diskspd: " + what, advice: advice);
}

/// <summary>A call of DiskSpd: what to run and how to print the results.</summary>
public sealed class DiskSpdCall
{
    /// <summary>Tests: one for a command line, one per timespan for a profile. Empty if the call requests help.</summary>
    public IReadOnlyList<IoTestSpecification> Specifications { get; init; } = [];

    /// <summary>DiskSpd's text or XML (<c>-R</c>).</summary>
    public ResultFormat ResultFormat { get; init; } = ResultFormat.DiskSpd;

    /// <summary>Whether to print the profile without running it (<c>-Rp</c>).</summary>
    public bool ProfileOnly { get; init; }

    /// <summary>Whether the call requests help: <c>-?</c> (exit code 0), or no arguments at all (exit code 3).</summary>
    public bool ShowsUsage { get; init; }

    /// <summary>Whether to print the system information without running a test (<c>-Rs</c>).</summary>
    public bool SystemOnly { get; init; }

    /// <summary>Options that have no effect or that are interpreted in an unexpected way, one line each.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}
