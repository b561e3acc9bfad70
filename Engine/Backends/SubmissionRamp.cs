namespace IoBench.Engine;

/// <summary>
/// How a batch of I/Os is handed to the kernel: in portions of 1, 2, 4 … and not all at once. The kernel holds a portion back until it has prepared
/// all of it; a device that has just finished everything would stand idle meanwhile. So the first one goes alone, and the device works while the next
/// are prepared. A batch of 32 takes 6 system calls in place of 32.
/// </summary>
internal static class SubmissionRamp
{
    /// <summary>I/Os of the first portion.</summary>
    public const int First = 1;

    private const int Largest = 1 << 20;

    /// <summary>I/Os of the portion after one of <paramref name="portion"/>.</summary>
    public static int After(int portion) => Math.Min(2 * portion, Largest);
}
