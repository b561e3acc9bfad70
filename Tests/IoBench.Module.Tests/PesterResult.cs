namespace IoBench.Module.Tests;

/// <summary>A line of <c>Start-PesterHost.ps1</c>: a test of Pester and its outcome.</summary>
/// <param name="Outcome">Passed, Failed, or Skipped; null for the line that ends a file.</param>
/// <param name="Message">Reason of a failed or skipped test.</param>
internal sealed record PesterResult(string Name, string? Outcome, string Message, string Trace, decimal Seconds);
