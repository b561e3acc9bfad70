namespace IoBench.Formats;

internal static class DiskSpdTextParser
{
    internal static bool TryParseSystemLine(ReadOnlySpan<char> line, DiskSpdRun run, VersionDetector version)
    {
        if (line.IndexOf('|') > 0)
            return TryParseCache(line, run);
        var colon = line.IndexOf(':');
        if (colon < 0)
            return false;
        var name = line[..colon];
        var value = line[(colon + 1)..].Trim();
        switch (name)
        {
            case "computer name":
                run.ComputerName = value.ToString();
                return true;
            case "start time":
                run.StartTime = DiskSpdValueFormat.ParseTime(value);
                return run.StartTime is not null || value.IsEmpty;
            case "cpu count"
            or "core count"
            or "group count"
            or "node count"
            or "socket count"
            or "heterogeneous cores"
            or "active power scheme":
                version.AtLeast("2.2");
                // DiskSpd 2.3 prints the name of the processor before all of these.
                if (!run.Host.ContainsKey("processor name"))
                    version.AtMost("2.2");
                break;
            case "processor name" or "page size":
                version.AtLeast("2.3");
                break;
            case "cache information":
                return value.IsEmpty;
            case "processor count" or "caching options":
                break;
            default:
                return false;
        }
        run.Host[name.ToString()] = value.ToString();
        return true;
    }

    private static bool TryParseCache(ReadOnlySpan<char> line, DiskSpdRun run)
    {
        Span<Range> cells = stackalloc Range[6];
        if (DiskSpdTableCells.Split(line, cells) != 5)
            return false;
        if (line[cells[0]] is not "Cache")
            DiskSpdRun.AddCache(
                run,
                line[cells[0]].ToString(),
                $"{line[cells[1]]}, lines of {line[cells[2]]}, {line[cells[3]]}, CPU {line[cells[4]]}"
            );
        return true;
    }
}
