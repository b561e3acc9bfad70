namespace IoBench.Formats;

/// <summary>DiskSpd version of the output. 2.3 has other sizes and more lines, and XML elements that 2.2 refuses.</summary>
public enum DiskSpdOutputVersion
{
    /// <summary>DiskSpd 2.2, which most programs can parse.</summary>
    Version22,

    Version23,
}
