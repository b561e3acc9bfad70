namespace IoBench.Module.Tests;

/// <summary>A theory that needs pwsh and Pester, and says so where they are not.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class PesterTheoryAttribute : TheoryAttribute
{
    private static readonly Lazy<string?> s_missing = new(PesterRun.WhatIsMissing);

    public PesterTheoryAttribute()
    {
        if (s_missing.Value is { } missing)
            Skip = missing;
    }
}
