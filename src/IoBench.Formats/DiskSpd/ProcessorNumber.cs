namespace IoBench.Formats.DiskSpd;

/// <summary>Processors in groups as one number: 64 per group, as Windows has them at most.</summary>
internal static class ProcessorNumber
{
    /// <summary>Processors a group has at most.</summary>
    internal const int PerGroup = 64;

    /// <summary>The number of a group's processor.</summary>
    internal static int InGroup(int group, int processor) => (int)Math.Min((long)group * PerGroup + processor, int.MaxValue);
}
