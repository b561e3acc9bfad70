namespace IoBench.Formats;

internal static class DiskSpdDistributionFormat
{
    /// <summary>Parses a line such as <c>90% of IO =&gt; [ 0 - 10MiB)</c> of DiskSpd's text, or with sizes in bytes of its XML.</summary>
    internal static bool TryParseRange(string line, out int percent, out long from, out long to)
    {
        (percent, from, to) = (0, 0, 0);
        var arrow = line.IndexOf("% of IO => [", StringComparison.Ordinal);
        var dash = line.IndexOf(" - ", StringComparison.Ordinal);
        var close = line.IndexOf(')', StringComparison.Ordinal);
        if (
            arrow < 0
            || dash < arrow + 12
            || close < dash
            || ToolNumberParser.ParseLeadingInt32(line.AsSpan(0, arrow)) is not int share
            || line.AsSpan(0, arrow).Contains('.')
        )
            return false;
        percent = share;
        return DiskSpdValueFormat.TryParseSize(line.AsSpan((arrow + 12)..dash), out from, out _)
            && DiskSpdValueFormat.TryParseSize(line.AsSpan((dash + 3)..close), out to, out _);
    }
}
