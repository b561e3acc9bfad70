using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Writes results in any of the formats.</summary>
public static class ResultWriter
{
    /// <summary>Writes results, as they come.</summary>
    /// <exception cref="IoBenchException">A format cannot hold a result: <c>IoBench.NotRepresentable</c>.</exception>
    public static void Write(TextWriter writer, IEnumerable<IoTestResult> results, ResultFormat format)
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(results);
        switch (format)
        {
            case ResultFormat.Json: JsonResultWriter.Write(writer, results); break;
            case ResultFormat.Csv: CsvResultWriter.Write(writer, results); break;
            case ResultFormat.Sqlio: SqlioTextWriter.Write(writer, results); break;
            case ResultFormat.DiskSpd: DiskSpdTextWriter.Write(writer, results); break;
            case ResultFormat.DiskSpdXml: DiskSpdXmlWriter.Write(writer, results); break;
            default: throw new ArgumentOutOfRangeException(nameof(format), format, null);
        }
    }
}
