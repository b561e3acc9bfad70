namespace IoBench.Formats.BatchFiles;

/// <summary>A command of a batch file with the line it stands in.</summary>
/// <param name="Line">The line, from 1; of a continued one the first.</param>
/// <param name="Text">The text without the sign of continuation.</param>
internal readonly record struct BatchLine(int Line, string Text);
