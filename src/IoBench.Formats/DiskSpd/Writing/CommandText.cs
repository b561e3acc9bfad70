using System.Globalization;
using System.Text;
using IoBench.Engine;

namespace IoBench.Formats;

internal static class DiskSpdCommandLine
{
    /// <summary>
    /// Returns the original command line if it is DiskSpd's. Otherwise returns the command line that is nearest to the specification.
    /// </summary>
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
}
