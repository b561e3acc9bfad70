using System.Globalization;
using System.Text;
using IoBench.Engine;

namespace IoBench.Formats;

internal static class CommandText
{
    /// <summary>
    /// Returns the original command line if it is DiskSpd's. Otherwise returns the command line that is nearest to the specification.
    /// </summary>
    internal static string For(IoTestSpecification s)
    {
        if (s.Origin() is { DiskSpd: not null, CommandLine: { } given })
            return given;
        var text = new StringBuilder("diskspd");
        Add(text, $" -d{Seconds(s.Duration)} -W{Seconds(s.WarmUp)} -C{Seconds(s.CoolDown)} -b{Size(s.BlockSize)}");
        var pool = s.SharedThreadPool ? s.PoolOutstandingIO : null;
        Add(text, $" {(s.SharedThreadPool ? "-F" : "-t")}{s.ThreadCount} {(pool is null ? "-o" : "-O")}{pool ?? s.OutstandingIO}");
        Add(text, $" -w{s.WritePercent}");
        text.Append(Order(s));
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
            Add(text, $" -c{Size(size)}");
        if (s.MaxIopsPerThread is double rate)
            Add(text, $" -g{rate:0}i");
        if (s.BurstSize > 0)
            Add(text, $" -i{s.BurstSize} -j{s.ThinkTimeMs}");
        Add(text, $" -z{s.Seed} -L -D{s.TimelineInterval.TotalMilliseconds:0}");
        foreach (var target in s.Targets)
            text.Append(' ').Append(target.Path);
        return text.ToString();
    }

    private static string Order(IoTestSpecification s)
    {
        var alignment = s.Alignment is long a ? Size(a) : "";
        var stride = s.Stride is long b ? Size(b) : "";
        return s.AccessPattern switch
        {
            IoAccessPattern.Random => " -r" + alignment,
            IoAccessPattern.PartRandom => string.Create(CultureInfo.InvariantCulture, $" -rs{s.RandomPercent}")
                + (alignment.Length > 0 ? " -r" + alignment : ""),
            IoAccessPattern.Interlocked => " -si" + stride,
            _ => " -s" + stride,
        };
    }

    private static void Add(StringBuilder text, FormattableString part) => text.Append(part.ToString(CultureInfo.InvariantCulture));

    private static string Seconds(TimeSpan time) => Math.Ceiling(time.TotalSeconds).ToString("0", CultureInfo.InvariantCulture);

    private static string Size(long bytes) =>
        (bytes, bytes % (1 << 30), bytes % (1 << 20), bytes % 1024) switch
        {
            (> 0, 0, _, _) => (bytes >> 30).ToString(CultureInfo.InvariantCulture) + "G",
            (> 0, _, 0, _) => (bytes >> 20).ToString(CultureInfo.InvariantCulture) + "M",
            (> 0, _, _, 0) => (bytes >> 10).ToString(CultureInfo.InvariantCulture) + "K",
            _ => Figures.Whole(bytes),
        };
}
