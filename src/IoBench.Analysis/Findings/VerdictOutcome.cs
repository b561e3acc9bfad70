namespace IoBench.Analysis;

/// <summary>Outcome of a rule, a verdict, or a check. <see cref="VerdictWords"/> has its words.</summary>
public enum VerdictOutcome : long
{
    /// <summary>Every rated rule passes. A severity of Warning states that a value exceeds an IoBench limit or a warning
    /// threshold.</summary>
    Pass,

    /// <summary>Every rated rule passes, but the file is small or the runs are short.</summary>
    PreliminaryPass,

    /// <summary>A rule fails; the severity is Warning or Critical.</summary>
    Fail,

    /// <summary>Nothing could be rated.</summary>
    NotRated,
}
