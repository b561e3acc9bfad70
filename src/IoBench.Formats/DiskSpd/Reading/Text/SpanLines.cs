namespace IoBench.Formats;

internal static class DiskSpdTextParser
{
    internal static bool TryParseTimespanLine(ReadOnlySpan<char> line, DiskSpdRun run, DiskSpdTimespan span, VersionDetector version)
    {
        var colon = line.IndexOf(':');
        if (colon > 0)
        {
            var value = line[(colon + 1)..].Trim();
            switch (line[..colon])
            {
                case "actual test time" or "test time":
                    span.Seconds = ToolNumberParser.ParseReal(value.TrimEnd('s').TrimEnd());
                    return span.Seconds is not null;
                case "thread count":
                    span.ThreadCount = ToolNumberParser.ParseLeadingInt32(value);
                    return span.ThreadCount is not null;
                case "request count":
                    version.AtLeast("2.0.19");
                    return true;
                case "proc count":
                    version.AtMost("2.1");
                    run.Host.TryAdd("cpu count", value.ToString());
                    return true;
                case "effective affinity (cpu)" or "effective affinity (group/cpu)":
                    version.AtLeast("2.3");
                    span.Details[DiskSpdPropertyNames.EffectiveAffinity] = line[19..].ToString();
                    return true;
                case "P-core cpus" or "E-core cpus":
                    span.Details[line[..colon].ToString()] = value.ToString();
                    return true;
            }
        }
        if (line.StartsWith("NOTE: thread assignment spans different core types"))
        {
            version.AtLeast("2.3");
            run.AddWarning(DiskSpdPropertyNames.MixedCores);
            return true;
        }
        if (line.StartsWith("Performance results may reflect mixed core capabilities"))
            return true;
        if (!line.StartsWith("The test was interrupted"))
            return false;
        span.Interruption = line.ToString();
        return true;
    }
}
