namespace IoBench.Formats.Results;

/// <summary>Writes results in any of the formats.</summary>
public static class ResultWriter
{
    /// <summary>Writes results, as they come.</summary>
    /// <exception cref="IoBenchException">A format cannot hold a result: <c>IoBench.NotRepresentable</c>.</exception>
    public static void Write(TextWriter writer, IEnumerable<IoTestResult> results, ResultFormat format)
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(results);
        ResultFormats
            .Of(format)
            .Write!(writer, format is ResultFormat.DiskSpd or ResultFormat.DiskSpdXml ? results.Select(DiskSpdWords.Check) : results);
    }
}
