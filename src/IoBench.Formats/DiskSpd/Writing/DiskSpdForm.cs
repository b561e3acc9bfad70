namespace IoBench.Formats.DiskSpd.Writing;

/// <summary>The version whose output is written: 2.3 prints blanks for tabs, other sizes and more lines, and its XML has elements that 2.2 refuses.</summary>
public enum DiskSpdForm
{
    /// <summary>DiskSpd 2.2, which programs know.</summary>
    Version22,

    /// <summary>DiskSpd 2.3.</summary>
    Version23,
}
