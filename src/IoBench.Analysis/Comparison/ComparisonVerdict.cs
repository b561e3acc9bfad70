namespace IoBench.Analysis.Comparison;

/// <summary>What a comparison of two sides says.</summary>
public enum ComparisonVerdict
{
    /// <summary>Better than the baseline.</summary>
    Better,

    /// <summary>Worse than the baseline.</summary>
    Worse,

    /// <summary>No difference that repeats could show, or too small to matter.</summary>
    Noise,

    /// <summary>Too little to go by: single runs that differ by less than the smallest change, or no figures.</summary>
    NoVerdict,
}
