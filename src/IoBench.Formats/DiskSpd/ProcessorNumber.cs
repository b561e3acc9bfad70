namespace IoBench.Formats;

internal static class DiskSpdProcessorLists
{
    internal const int MaxPerGroup = 64;

    /// <summary>Combines a group and a processor into one number: 64 per group, the maximum of Windows.</summary>
    internal static int GetNumber(int group, int processor) => (int)Math.Min((long)group * MaxPerGroup + processor, int.MaxValue);
}
