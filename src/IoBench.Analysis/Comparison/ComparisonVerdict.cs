namespace IoBench.Analysis;

/// <summary>Verdict of a comparison.</summary>
public enum ComparisonVerdict
{
    /// <summary>Better than the baseline.</summary>
    Better,

    /// <summary>Worse than the baseline.</summary>
    Worse,

    /// <summary>No detectable change, or a change that is too small to matter.</summary>
    Noise,

    /// <summary>Inconclusive: single runs that differ by less than the smallest detectable change, or no values.</summary>
    NoVerdict,
}
