namespace IoBench.Formats;

/// <summary>A command of a batch file with its line.</summary>
/// <param name="Line">Line number, from 1. For a continued line, the first one.</param>
/// <param name="Text">Text without the continuation characters.</param>
internal readonly record struct BatchLine(int Line, string Text);
