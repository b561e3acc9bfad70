using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Writes results as the timespans of one DiskSpd XML document. The XML is well-formed, unlike DiskSpd's own.</summary>
public static class DiskSpdXmlWriter
{
    /// <summary>Writes one document. A timespan states the computer or time if it differs from the first result.</summary>
    public static void Write(
        TextWriter writer,
        IEnumerable<IoTestResult> results,
        string newLine = DiskSpdTextWriter.DiskSpdLineEnd,
        DiskSpdOutputVersion form = DiskSpdOutputVersion.Version22
    )
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(results);
        // The profile of all timespans precedes their results.
        var all = results.ToList();
        var xml = new IndentedXmlWriter(writer, newLine);
        xml.BeginElement("Results");
        var spans = new DiskSpdXmlResultWriter(xml, form);
        if (all.Count > 0)
        {
            new DiskSpdXmlSystemWriter(xml, form).WriteSystem(all[0]);
            new DiskSpdXmlProfileWriter(xml, form).WriteProfile(all.ConvertAll(r => r.Specification));
            foreach (var result in all)
                spans.WriteTimespan(result, all[0]);
        }
        xml.EndElement();
    }

    /// <summary>Writes a profile without results (<c>-Rpxml</c>). DiskSpd and IoBench read it with -X.</summary>
    public static void WriteProfile(
        TextWriter writer,
        IReadOnlyList<IoTestSpecification> specifications,
        string newLine = DiskSpdTextWriter.DiskSpdLineEnd,
        DiskSpdOutputVersion form = DiskSpdOutputVersion.Version22
    )
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(specifications);
        new DiskSpdXmlProfileWriter(new IndentedXmlWriter(writer, newLine), form).WriteProfile(specifications);
        writer.Write(newLine);
    }

    /// <summary>Writes the system information (<c>-Rsxml</c>, DiskSpd 2.3 and later).</summary>
    public static void WriteSystem(TextWriter writer, IoTestResult result, string newLine = DiskSpdTextWriter.DiskSpdLineEnd)
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(result);
        new DiskSpdXmlSystemWriter(new IndentedXmlWriter(writer, newLine), DiskSpdOutputVersion.Version23).WriteSystem(result);
        writer.Write(newLine);
    }
}
