using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Writes results in any format that can be written.</summary>
public static class ResultWriter
{
    /// <summary>Writes the results while they are enumerated.</summary>
    /// <exception cref="IoBenchException">The format cannot represent a result: <c>IoBench.NotRepresentable</c>.</exception>
    public static void Write(TextWriter writer, IEnumerable<IoTestResult> results, ResultFormat format)
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(results);
        ResultFormats
            .GetDescriptor(format)
            .Write!(
                writer,
                format is ResultFormat.DiskSpd or ResultFormat.DiskSpdXml ? results.Select(DiskSpdSupport.EnsureSupported) : results
            );
    }
}
