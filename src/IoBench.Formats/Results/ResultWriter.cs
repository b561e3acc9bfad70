using IoBench.Engine;

namespace IoBench.Formats;

public static class ResultWriter
{
    /// <exception cref="IoBenchException"><c>IoBench.NotRepresentable</c>: the format cannot represent a result.</exception>
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
