namespace IoBench.Formats;

internal static class ProcessorNumber
{
    internal const int PerGroup = 64;

    /// <summary>Combines a group and a processor into one number: 64 per group, the maximum of Windows.</summary>
    internal static int InGroup(int group, int processor) => (int)Math.Min((long)group * PerGroup + processor, int.MaxValue);
}
