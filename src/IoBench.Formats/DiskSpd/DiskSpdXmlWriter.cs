using IoBench.Engine;
using IoBench.Formats.DiskSpd.Writing;

namespace IoBench.Formats;

/// <summary>
/// Writes results as DiskSpd 2.2's XML, with its elements in its order, but well-formed: DiskSpd itself escapes nothing.
/// Several results become the timespans of one document.
/// </summary>
public static class DiskSpdXmlWriter
{
    /// <summary>Writes one document with the results as its timespans.</summary>
    /// <param name="writer">Where to.</param>
    /// <param name="results">The results. A computer or time other than the first one's is told in elements of the timespan that DiskSpd has not.</param>
    /// <param name="newLine">The line end; DiskSpd's own is CR LF.</param>
    public static void Write(TextWriter writer, IEnumerable<IoTestResult> results, string newLine = DiskSpdTextWriter.DiskSpdLineEnd)
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(results);
        // The profile of all timespans stands before their results.
        var all = results.ToList();
        var xml = new XmlLines(writer, newLine);
        xml.Begin("Results");
        var spans = new XmlResults(xml);
        if (all.Count > 0)
        {
            spans.WriteSystem(all[0]);
            new XmlProfile(xml).Write(all.ConvertAll(r => r.Specification));
            foreach (var result in all)
                spans.Write(result, all[0]);
        }
        xml.End();
    }

    /// <summary>Writes what would be run (<c>-Rpxml</c>); DiskSpd and IoBench take it with -X.</summary>
    /// <param name="writer">Where to.</param>
    /// <param name="specifications">The timespans.</param>
    /// <param name="newLine">The line end.</param>
    public static void WriteProfile(TextWriter writer, IReadOnlyList<IoTestSpecification> specifications, string newLine = DiskSpdTextWriter.DiskSpdLineEnd)
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(specifications);
        new XmlProfile(new XmlLines(writer, newLine)).Write(specifications);
        writer.Write(newLine);
    }
}
