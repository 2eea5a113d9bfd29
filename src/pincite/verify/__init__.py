"""The verify step: does the cited passage say what the claim says?"""
