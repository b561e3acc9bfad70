// Global usings: a file can move to another folder without a change in the files that use it.
global using IoBench.Analysis;
global using IoBench.Analysis.Roles;
global using IoBench.Analysis.Rules;
global using IoBench.Engine.Results;
global using IoBench.Engine.Specification;
global using IoBench.Engine.Text;
global using IoBench.Formats.Results;
global using IoBench.Formats.Sqlio;
global using IoBench.Reports.Card;
global using IoBench.Reports.Excel;
global using IoBench.Reports.HeatMaps;
global using IoBench.Reports.Html;
global using IoBench.Reports.Model;
global using IoBench.Reports.Sections;
