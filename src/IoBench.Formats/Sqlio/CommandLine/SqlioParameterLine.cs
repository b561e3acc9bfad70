namespace IoBench.Formats;

/// <param name="Path">File, or a raw drive such as <c>E:</c> or <c>9:</c> (disk 9).</param>
/// <param name="Mask">CPUs of these threads as bits; 0 = any.</param>
/// <param name="SizeMB">Size in MiB; null = the current size of the file.</param>
public sealed record SqlioParameterLine(string Path, int Threads, ulong Mask, double? SizeMB, int LineNumber);
