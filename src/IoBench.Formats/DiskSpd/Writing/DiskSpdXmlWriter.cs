namespace IoBench.Formats.DiskSpd.Writing;

/// <summary>
/// Writes results as DiskSpd's XML, with its elements in its order, but well-formed: DiskSpd itself escapes nothing.
/// Several results become the timespans of one document.
/// </summary>
public static class DiskSpdXmlWriter
{
    /// <summary>Writes one document with the results as its timespans.</summary>
    /// <param name="writer">Where to.</param>
    /// <param name="results">The results. A computer or time other than the first one's stands in elements of the timespan that DiskSpd does not have.</param>
    /// <param name="newLine">The line end; DiskSpd's own is CR LF.</param>
    /// <param name="form">The version whose output it is.</param>
    public static void Write(
        TextWriter writer,
        IEnumerable<IoTestResult> results,
        string newLine = DiskSpdTextWriter.DiskSpdLineEnd,
        DiskSpdForm form = DiskSpdForm.Version22
    )
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(results);
        // The profile of all timespans stands before their results.
        var all = results.ToList();
        var xml = new XmlLines(writer, newLine);
        xml.Begin("Results");
        var spans = new XmlResults(xml, form);
        if (all.Count > 0)
        {
            new XmlSystem(xml, form).Write(all[0]);
            new XmlProfile(xml, form).Write(all.ConvertAll(r => r.Specification));
            foreach (var result in all)
                spans.Write(result, all[0]);
        }
        xml.End();
    }

    /// <summary>Writes what would be run (<c>-Rpxml</c>); DiskSpd and IoBench take it with -X.</summary>
    /// <param name="writer">Where to.</param>
    /// <param name="specifications">The timespans.</param>
    /// <param name="newLine">The line end.</param>
    /// <param name="form">The version whose output it is.</param>
    public static void WriteProfile(
        TextWriter writer,
        IReadOnlyList<IoTestSpecification> specifications,
        string newLine = DiskSpdTextWriter.DiskSpdLineEnd,
        DiskSpdForm form = DiskSpdForm.Version22
    )
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(specifications);
        new XmlProfile(new XmlLines(writer, newLine), form).Write(specifications);
        writer.Write(newLine);
    }

    /// <summary>Writes the computer (<c>-Rsxml</c>), which came with 2.3.</summary>
    /// <param name="writer">Where to.</param>
    /// <param name="result">A result with the computer's facts and nothing measured.</param>
    /// <param name="newLine">The line end.</param>
    public static void WriteSystem(TextWriter writer, IoTestResult result, string newLine = DiskSpdTextWriter.DiskSpdLineEnd)
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(result);
        new XmlSystem(new XmlLines(writer, newLine), DiskSpdForm.Version23).Write(result);
        writer.Write(newLine);
    }
}
