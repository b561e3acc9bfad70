namespace IoBench.Formats;

/// <summary>
/// Version of DiskSpd whose output is written. 2.3 prints spaces instead of tabs, other sizes, and more lines. Its XML has elements that
/// 2.2 refuses.
/// </summary>
public enum DiskSpdOutputVersion
{
    /// <summary>DiskSpd 2.2, which most programs can parse.</summary>
    Version22,

    /// <summary>DiskSpd 2.3.</summary>
    Version23,
}
