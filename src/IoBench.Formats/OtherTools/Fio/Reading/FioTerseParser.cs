namespace IoBench.Formats;

internal static class FioTerseParser
{
    private const int DirectionFields = 41;
    private const int PercentileFields = 20;
    private const int BandFields = 22;
    private const int MaxFields = 2000;

    internal static bool IsTerseLine(ReadOnlySpan<char> line)
    {
        if (line.Length < 40 || line[0] is < '2' or > '5' || line[1] != ';')
            return false;
        if (line[0] != '2')
            return line[2..].StartsWith("fio-");
        // With unified_rw_reporting, the line has one direction instead of three.
        return line.IndexOf("%=") > 0 && line.Count(';') >= 75;
    }

    internal static FioJob ParseLine(string line, int number)
    {
        var version = line[0] - '0';
        var fields = line.Split(';', MaxFields);
        var job = new FioJob
        {
            OutputKind = FioOutputKind.Terse,
            Line = number,
            ToolVersion = version > 2 ? FioJsonParser.RemoveVersionPrefix(fields[1]) : null,
        };
        var at = version > 2 ? 2 : 1;
        var nameEnd = FindNameEnd(fields, at);
        job.Name = string.Join(';', fields[Math.Min(at, fields.Length)..Math.Min(nameEnd, fields.Length)]);
        at = nameEnd;
        job.Group = (int)Math.Min(int.MaxValue, FioValueParser.ParseInteger(GetField(fields, at++)) ?? 0);
        job.Error = (int)Math.Min(int.MaxValue, FioValueParser.ParseInteger(GetField(fields, at++)) ?? 0);
        var length = version == 5 ? DirectionFields + 6 : DirectionFields;
        ReadDirections(fields, ref at, length, job);
        ReadRemainingFields(fields, at, job);
        if (fields.Length < at + 5 + 7 + BandFields)
            job.IncompleteReason = string.Create(
                System.Globalization.CultureInfo.InvariantCulture,
                $"Line {number}: the line has only {fields.Length} fields."
            );
        return job;
    }

    /// <summary>A job name can contain semicolons. The group and the error follow, and the first percentile is 12 fields later.</summary>
    private static int FindNameEnd(string[] fields, int at)
    {
        for (var end = at + 1; end + 14 < fields.Length; end++)
        {
            if (fields[end + 14].Contains("%=", StringComparison.Ordinal))
                return end;
        }
        return at + 1;
    }

    /// <summary>Mixed values replace or follow reads, writes, and trims. The next field is the CPU usage with a percent sign.</summary>
    private static void ReadDirections(string[] fields, ref int at, int length, FioJob job)
    {
        var version = fields[0][0] - '0';
        var first = ReadDirection(fields, at, version);
        at += length;
        if (IsPercentField(fields, at))
        {
            job.Mixed = first;
            return;
        }
        job.Read = first;
        job.Write = ReadDirection(fields, at, version);
        at += length;
        // Version 3 has no trims. Version 2 has them only in newer releases of fio.
        if (version is 4 or 5 || (version == 2 && !IsPercentField(fields, at)))
        {
            job.Trim = ReadDirection(fields, at, version);
            at += length;
        }
        if (!IsPercentField(fields, at) && at + length < fields.Length && IsPercentField(fields, at + length))
        {
            job.Mixed = ReadDirection(fields, at, version);
            at += length;
        }
    }

    private static bool IsPercentField(string[] fields, int at) => GetField(fields, at).EndsWith('%');

    private static void ReadRemainingFields(string[] fields, int at, FioJob job)
    {
        job.UserCpu = FioValueParser.ParseScaled(GetField(fields, at));
        job.SystemCpu = FioValueParser.ParseScaled(GetField(fields, at + 1));
        job.ContextSwitches = FioValueParser.ParseReal(GetField(fields, at + 2));
        job.MajorFaults = FioValueParser.ParseReal(GetField(fields, at + 3));
        job.MinorFaults = FioValueParser.ParseReal(GetField(fields, at + 4));
        job.DepthOnePercent = FioValueParser.ParseScaled(GetField(fields, at + 5));
        at += 12;
        int[] edges = [2, 4, 10, 20, 50, 100, 250, 500, 750, 1000];
        for (var i = 0; i < edges.Length; i++)
            AddBand(edges[i], false, 1e-3, GetField(fields, at + i));
        for (var i = 0; i < edges.Length; i++)
            AddBand(edges[i], false, 1, GetField(fields, at + 10 + i));
        AddBand(2000, false, 1, GetField(fields, at + 20));
        AddBand(2000, true, 1, GetField(fields, at + 21));
        ReadDevices(fields, at + BandFields, job);

        void AddBand(int edge, bool isLast, double unitMs, string text)
        {
            if (FioValueParser.ParseScaled(text) is > 0 and <= FioJob.MaxPercent and var percent)
                job.AddLatencyBucket(edge, isLast, unitMs, percent);
        }
    }

    /// <summary>Nine fields per device, then two if <c>continue_on_error</c> is set, then a description.</summary>
    private static void ReadDevices(string[] fields, int at, FioJob job)
    {
        var devices = new List<string>();
        while (at + 8 < fields.Length && fields[at + 8].EndsWith('%') && FioValueParser.ParseInteger(fields[at + 1]) is not null)
        {
            if (fields[at] != "slaves")
                devices.Add(fields[at]);
            at += 9;
        }
        job.Device = devices.Count == 1 ? devices[0] : null;
        if (
            at + 1 < fields.Length
            && FioValueParser.ParseInteger(fields[at]) is { } failed
            && FioValueParser.ParseInteger(fields[at + 1]) is <= int.MaxValue and var first
        )
        {
            job.FailedIOs = failed;
            job.FirstError = (int)first;
            at += 2;
        }
        if (at < fields.Length && fields[at].Length > 0)
            job.Description = string.Join(';', fields[at..]);
    }

    private static FioDirection? ReadDirection(string[] fields, int at, int version)
    {
        if (at + DirectionFields > fields.Length)
            return null;
        var direction = new FioDirection
        {
            Bytes = FioValueParser.ParseInteger(fields[at]) is <= long.MaxValue / 1024 and var kilobytes ? kilobytes * 1024 : null,
            BytesPerSecond = FioValueParser.ParseReal(fields[at + 1]) * 1024,
            Iops = FioValueParser.ParseReal(fields[at + 2]),
            RuntimeMs = FioValueParser.ParseReal(fields[at + 3]),
            Submission = ReadLatency(fields, at + 4),
            Completion = ReadLatency(fields, at + 8),
            Total = ReadLatency(fields, at + 12 + PercentileFields),
        };
        if (direction is { RuntimeMs: 0, Bytes: > 0 })
        {
            direction.BytesPerSecond = null;
            direction.Iops = null;
        }
        if (version == 5)
        {
            direction.IopsDeviation = FioValueParser.ParseReal(GetField(fields, at + DirectionFields + 4));
            direction.IopsSamples = FioValueParser.ParseInteger(GetField(fields, at + DirectionFields + 5));
        }
        for (var i = 0; i < PercentileFields; i++)
        {
            var pair = fields[at + 12 + i].Split("%=");
            if (
                pair.Length == 2
                && FioValueParser.ParseReal(pair[0]) is > 0 and <= 100 and var percent
                && FioValueParser.ParseReal(pair[1]) is { } value
            )
                direction.Completion.Percentiles.Add((percent, value));
        }
        return direction;
    }

    private static FioLatency ReadLatency(string[] fields, int at) =>
        new()
        {
            UnitsPerMs = 1e3,
            Min = FioValueParser.ParseReal(fields[at]),
            Max = FioValueParser.ParseReal(fields[at + 1]),
            Mean = FioValueParser.ParseReal(fields[at + 2]),
            Deviation = FioValueParser.ParseReal(fields[at + 3]),
        };

    private static string GetField(string[] fields, int at) => at < fields.Length ? fields[at] : "";
}
